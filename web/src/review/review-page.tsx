import { useQuery } from '@tanstack/react-query';
import { Waiting } from '../parts/message.tsx';
import { httpReview, loadReview } from './http-review.ts';
import { ReviewDesk } from './review-desk.tsx';

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
