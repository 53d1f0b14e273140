import { readSigningKey, type SealKey } from '../store/index.ts';

/** The key that signs the run: as typed or configured, else from the environment, where it is a file or the key itself. */
export function signKeyOf({ signKey }: { readonly signKey?: string | undefined }): SealKey | undefined {
  const source = signKey ?? process.env.KRISIS_SIGN_KEY;
  return source ? readSigningKey(source) : undefined;
}
