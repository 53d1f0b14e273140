/** The JSON schema of an object. Strict structured output wants every property required and no other allowed. */
export function strictObject<T extends Record<string, object>>(properties: T) {
  return {
    type: 'object' as const,
    properties,
    required: Object.keys(properties),
    additionalProperties: false as const,
  };
}
