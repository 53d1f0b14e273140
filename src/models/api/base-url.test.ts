import { describe, expect, it } from 'vitest';
import { baseUrlText, isLoopback, parseBaseUrl } from './base-url.ts';

describe('parseBaseUrl', () => {
  it.each([
    ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/v1'],
    ['https://models.example', 'https://models.example'],
    ['https://models.example/a/b', 'https://models.example/a/b'],
  ])('reads %s', (text, expected) => {
    expect(baseUrlText(parseBaseUrl(text, 'baseUrl'))).toBe(expected);
  });

  it.each([
    ['http://user:canary@host/v1', 'baseUrl contains a user name or password'],
    ['http://canary@host/v1', 'baseUrl contains a user name or password'],
    ['https://host/v1?key=canary', 'baseUrl ends in a query or fragment'],
    ['https://host/v1#canary', 'baseUrl ends in a query or fragment'],
    ['ftp://host/canary', 'baseUrl is not an address'],
    ['host:canary', 'baseUrl is not an address'],
    ['', 'baseUrl is not an address'],
  ])('refuses %s without repeating it', (text, message) => {
    const parse = () => parseBaseUrl(text, 'baseUrl');
    expect(parse).toThrow(message);
    expect(parse).not.toThrow('canary');
  });
});

describe('isLoopback', () => {
  it.each([
    ['http://127.0.0.1', true],
    ['http://127.8.9.1', true],
    ['http://2130706433', true],
    ['http://localhost:80', true],
    ['http://[::1]:80', true],
    ['http://[::2]', false],
    ['http://10.0.0.1', false],
    ['http://127.0.0.1.example', false],
    ['http://localhost.example', false],
    // Only a resolver knows where it leads.
    ['http://a.localhost', false],
    ['http://0.0.0.0', false],
  ])('%s: %s', (url, expected) => {
    expect(isLoopback(new URL(url).hostname)).toBe(expected);
  });
});
