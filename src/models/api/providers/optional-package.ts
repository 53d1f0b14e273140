import { KrisisError } from '../../../core/index.ts';

/** Loads a package that only some users need; where it is missing, the error says how to install it. */
export async function optionalPackage<T>(
  model: string,
  /** Its name and version, as npm takes it. */
  wanted: string,
  load: () => Promise<T>,
): Promise<T> {
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // An installed package that lacks a dependency of its own is another error.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error;
    throw new KrisisError(`${model} needs the package ${name}: npm install ${wanted}`, {
      code: 'ERR_PACKAGE_MISSING',
      value: name,
    });
  }
}
