import type { Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ReviewDesk } from '../../review/desk.ts';
import { TOKEN, tokenDigest } from '../guard.ts';
import { jsonBody, limitBody } from '../json-body.ts';

const LABELS = '/api/review/labels';
/** The header in which a page says whose it is: `ReviewSession.id`. */
const SESSION = 'Krisis-Session';

/** Whether a request may write: only a label, and only in JSON, which pages of other sites cannot send unasked. */
export function isReviewRequest(method: string, path: string): boolean {
  return method === 'POST' && path === LABELS;
}

/**
 * The addresses of a review: `GET /api/review` is the reviewer's `ReviewSession`, `GET /api/review/progress` how far it is, and `POST /api/review/labels` stores one `NewReviewLabel`; its answer, `{ id, at }`, comes after the
 * label is on the disk. The reviewer is known by the token. `desks` are by token.
 */
export function serveReview(app: Hono, desks: ReadonlyMap<string, ReviewDesk>): void {
  const byDigest = new Map([...desks].map(([token, desk]) => [tokenDigest(token), desk]));
  const findDesk = (c: Context): ReviewDesk => {
    const desk = byDigest.get(c.get(TOKEN) ?? '');
    if (desk === undefined) throw new HTTPException(403, { message: 'this token is no reviewer' });
    return desk;
  };
  app.get('/api/review', (c) => c.json(findDesk(c).session()));
  app.get('/api/review/progress', (c) => c.json(findDesk(c).progress()));
  app.post(LABELS, limitBody('a label is'), async (c) => {
    const desk = findDesk(c);
    // Another reviewer's link in the same browser replaces the cookie of a page that is still open.
    if ((c.req.header(SESSION) ?? desk.id) !== desk.id)
      throw new HTTPException(409, {
        message: 'another reviewer has opened a link in this browser; open your own link again',
      });
    const { id, at } = desk.save(await jsonBody(c));
    return c.json({ id, at });
  });
}
