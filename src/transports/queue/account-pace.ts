import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connect.ts';
import { PREFIX } from './protocol.ts';

const WAITS = `${PREFIX}:waits`;
const RATES = `${PREFIX}:rates`;
/** A later moment was not written by a worker, and neither was one that is not a number: both are ignored. */
const MAX_WAIT_MS = 24 * 3_600_000;

/** Moments are of the clock of Redis: those of workers may differ. */
const NOW = `local t = redis.call('TIME') local now = t[1] * 1000 + t[2] / 1000
local function moment(key, field)
  local at = tonumber(redis.call('HGET', key, field) or 0) or 0
  if at <= now + ${MAX_WAIT_MS} then return at end
  return 0
end`;

/** Notes that an account wants no calls for so many milliseconds; a longer wait is not shortened. */
const WAIT = `${NOW}
local till = now + math.min(tonumber(ARGV[2]), ${MAX_WAIT_MS})
if till > moment(KEYS[1], ARGV[1]) then redis.call('HSET', KEYS[1], ARGV[1], till) end
return 1`;

/**
 * Takes a turn: returns 0 when the call may go out now, else the milliseconds to wait before asking again. Limits per minute are generic cell rates: every call moves the moment of the next by its
 * own share of the minute, so there are no windows at whose edges calls pile up. A call that comes late by up to a tenth of a second is made up for; that much is added to the minute, so that none has more than allowed.
 */
const TURN = `${NOW}
local left = moment(KEYS[1], ARGV[1]) - now
if left > 0 then return tostring(left) end
if left > -60000 and left < 0 then redis.call('HDEL', KEYS[1], ARGV[1]) end
local limits = { { ARGV[1] .. ' calls', tonumber(ARGV[2]), 1 }, { ARGV[1] .. ' tokens', tonumber(ARGV[3]), tonumber(ARGV[4]) } }
local wait = 0
local next = {}
for i, limit in ipairs(limits) do
  if limit[2] > 0 then
    local due = math.max(moment(KEYS[2], limit[1]), now - 100)
    if due > now then wait = math.max(wait, due - now) end
    next[i] = due + limit[3] * 60200 / limit[2]
  end
end
if wait > 0 then return tostring(wait) end
for i, limit in ipairs(limits) do if next[i] then redis.call('HSET', KEYS[2], limit[1], next[i]) end end
return '0'`;

/** A call took more or fewer tokens than were counted for it. */
const CORRECT = `redis.call('HINCRBYFLOAT', KEYS[1], ARGV[1] .. ' tokens', tonumber(ARGV[3]) * 60200 / tonumber(ARGV[2])) return 1`;

/** When calls to one account may go out, shared by all its workers. */
export function createTurns(
  connection: Connection,
  account: string,
  {
    requestsPerMinute = 0,
    tokensPerMinute = 0,
  }: { readonly requestsPerMinute?: number | undefined; readonly tokensPerMinute?: number | undefined },
) {
  return {
    /** Waits for the account's turn. Returns the seconds still to wait where that is longer than `maxSeconds`, else 0. */
    async take(tokens: number, maxSeconds: number): Promise<number> {
      for (;;) {
        const args = [account, requestsPerMinute, tokensPerMinute, tokens];
        const left = Number(await connection.eval(TURN, 2, WAITS, RATES, ...args));
        if (left <= 0) return 0;
        if (left > maxSeconds * 1000) return left / 1000;
        // Not all at the same moment.
        await sleep(left + Math.random() * 5);
      }
    },
    /** The call took so many tokens in place of those that were counted. */
    async correct(counted: number, taken: number): Promise<void> {
      if (tokensPerMinute > 0)
        await connection.eval(CORRECT, 1, RATES, account, tokensPerMinute, taken - counted);
    },
    /** The provider asked for no calls for so many seconds. */
    async wait(seconds: number): Promise<void> {
      await connection.eval(WAIT, 1, WAITS, account, seconds * 1000);
    },
  };
}
