/** Does the work, and calls `undo` when it throws. */
export async function undoOnThrow<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    undo();
    throw error;
  }
}
