import { nearNames } from '../core/index.ts';
import { providerOfModel } from './api/known-models.ts';
import { PROVIDERS } from './api/providers/providers.ts';

/** The model that an unknown name was probably meant for: another spelling of what precedes the slash, or a provider's model without its provider. Null where nothing is near. */
export async function meantModel(typed: string): Promise<string | null> {
  const slash = typed.indexOf('/');
  if (slash < 0) {
    const provider = await providerOfModel(typed);
    return provider === null ? null : `${provider}/${typed}`;
  }
  const [near] = nearNames(typed.slice(0, slash), [...PROVIDERS, 'baseline', 'simulated', 'replay']);
  return near === undefined ? null : `${near}${typed.slice(slash)}`;
}
