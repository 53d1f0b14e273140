import { plain } from '../core/index.ts';
import type { Backend } from '../models/index.ts';
import { printMessage } from './print.ts';

type Asked = Pick<Backend, 'name' | 'destination'>;

/** Prints who is asked at which host, once for each, before the first call. Models that answer in this process are not named. */
export function createAnnouncer(): (backends: readonly Asked[]) => void {
  const announced = new Set<string>();
  return (backends) => {
    for (const { name, destination } of backends) {
      if (destination === undefined) continue;
      const { host, through } = destination;
      const line = plain(`asking ${name} ${through === undefined ? `at ${host}` : `through the ${through}`}`);
      if (!announced.has(line)) printMessage(`${line}\n`);
      announced.add(line);
    }
  };
}
