import { KrisisError } from '../../core/index.ts';

/** Loads a package that not everybody needs, and says how to get it where it is missing. */
export async function optionalPackage<T>(
  model: string,
  name: string,
  version: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package that is there and lacks something of its own is another matter.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw new KrisisError(`${model} needs the package ${name}: npm install ${name}@${version}`);
  }
}
