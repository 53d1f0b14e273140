import { useQuery } from '@tanstack/react-query';
import type { NewReviewLabel, ReviewSession } from '../api.ts';
import { FinalError } from '../data/final-error.ts';
import { errorMessage, request } from '../data/session.ts';
import { Waiting } from '../parts/message.tsx';
import { RefusedError } from './outbox.ts';
import { ReviewDesk } from './review-desk.tsx';
import type { ReviewSource } from './review-source.ts';

/** A reviewer's queue, served by `krisis review`. It is loaded once: what the reviewer adds is on the page already. */
export function ReviewPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['review'],
    queryFn: loadReview,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data !== undefined) return <ReviewDesk session={data} source={httpReview(data)} />;
  return (
    <Waiting
      of="the review"
      loaded={
        error === null
          ? { state: 'loading' }
          : { state: 'failed', message: error.message, again: () => void refetch() }
      }
    />
  );
}

const PATIENCE_MS = 20_000;

/** The queue of the reviewer whose link opened the page. */
async function loadReview(): Promise<ReviewSession> {
  const response = await ask('review');
  if (response.ok) return response.json();
  if (response.status === 404)
    throw new FinalError('This server has no review: krisis review RUN starts one, and prints a link.');
  throw new FinalError(await errorMessage(response));
}

/** Labels go to the server of `krisis review`, which answers when they are on its disk. */
function httpReview(session: ReviewSession): ReviewSource {
  return {
    savedText: 'Saved.',
    save: async (label: NewReviewLabel) => {
      const response = await ask('review/labels', {
        method: 'POST',
        // Another reviewer's link in the same browser replaces the cookie: labels must not be stored under that name.
        headers: { 'Content-Type': 'application/json', 'Krisis-Session': session.id },
        body: JSON.stringify(label),
      });
      if (response.ok) return;
      const message = await errorMessage(response);
      throw CAN_PASS.includes(response.status) || response.status >= 500
        ? new Error(message)
        : new RefusedError(message);
    },
  };
}

/** Statuses that can change without another label: a new link opens the door again, a busy server has time later. */
const CAN_PASS = [401, 403, 408, 409, 429];

async function ask(address: string, init: RequestInit = {}): Promise<Response> {
  return request(
    address,
    { ...init, signal: AbortSignal.timeout(PATIENCE_MS) },
    'The review server does not answer. If you started krisis review yourself, start it again; otherwise ask the person who sent you the link.',
  );
}
