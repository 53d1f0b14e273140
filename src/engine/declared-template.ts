import { oncePer } from '../core/collections.ts';
import type { PromptMessage } from '../core/text-request.ts';
import type { Backend } from '../models/backend.ts';

/**
 * The prompt that a backend of the user's own declares for all records; null where it declares none. A copy that is made once, before the backend sees a record: what the backend puts in
 * its place later may be a filled prompt.
 */
export const declaredTemplate = oncePer(
  ({ promptTemplate }: Backend): { readonly messages: readonly PromptMessage[] | null } => ({
    messages: Array.isArray(promptTemplate)
      ? promptTemplate.map(({ role, content }) => ({ role, content: String(content) }))
      : null,
  }),
);
