import { describe, expect, it } from 'vitest';
import { checkEgress } from './egress.ts';

const remote = {
  name: 'openai/m',
  destination: { provider: 'openai', host: 'api.openai.com', loopback: false },
};
const local = {
  name: 'ollama/m',
  destination: { provider: 'ollama', host: '127.0.0.1:11434', loopback: true },
};

describe('checkEgress', () => {
  it.each([undefined, 'protected'] as const)('keeps data here that are %s', (sensitivity) => {
    const suite = sensitivity === undefined ? {} : { sensitivity };
    expect(() => checkEgress(suite, remote)).toThrow(
      expect.objectContaining({ code: 'ERR_EGRESS_NOT_ALLOWED' }),
    );
    expect(() => checkEgress(suite, remote, ['anthropic'])).toThrow('api.openai.com');
  });

  it('says in the manifest that protected data were allowed to leave', () => {
    expect(checkEgress({}, remote, ['openai'])).toEqual({
      provider: 'openai',
      host: 'api.openai.com',
      loopback: false,
      protectedDataAllowed: true,
    });
  });

  it("takes a provider's name for its own host only", () => {
    const host = 'gateway.example:8443';
    const gateway = { ...remote, destination: { ...remote.destination, host, ownHost: false } };
    for (const allowed of ['openai', 'example', 'gateway.example:443', 'gateway.example:8443:bulk'])
      expect(() => checkEgress({}, gateway, [allowed])).toThrow("allowEgress: ['gateway.example:8443']");
    for (const allowed of ['gateway.example', host, ' GATEWAY.example ', 'gateway.example'])
      expect(checkEgress({}, gateway, [allowed])).toMatchObject({ host, protectedDataAllowed: true });
    expect(checkEgress({}, gateway, [`${host}:bulk`], true)).toMatchObject({ bulk: true });
    expect(checkEgress({}, remote, ['api.openai.com'])).toMatchObject({ protectedDataAllowed: true });
  });

  it('takes no provider’s name for that of a host', () => {
    for (const host of ['openai', 'OpenAI', 'openai:8080', 'gemini']) {
      const gateway = { ...remote, destination: { ...remote.destination, host, ownHost: false } };
      for (const allowed of ['openai', 'gemini', 'OPENAI'])
        expect(() => checkEgress({}, gateway, [allowed]), host).toThrow('would send them to');
      const named = host.includes(':') ? host : `${host}:443`;
      expect(() => checkEgress({}, gateway)).toThrow(`allowEgress: ['${named}']`);
      expect(checkEgress({}, gateway, [named])).toMatchObject({ protectedDataAllowed: true });
    }
  });

  it.each(['synthetic', 'public'] as const)('lets %s data go anywhere', (sensitivity) => {
    expect(checkEgress({ sensitivity }, remote)).toMatchObject({ protectedDataAllowed: false });
  });

  it('lets anything go to this machine, and nowhere at all', () => {
    expect(checkEgress({}, local)).toMatchObject({ loopback: true, protectedDataAllowed: false });
    expect(checkEgress({}, { name: 'baseline/x' })).toBeNull();
  });
});
