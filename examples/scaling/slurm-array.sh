#!/bin/bash
# Eight GPU nodes work on one run. Each serves the model and a worker, and leaves when there has been nothing to do for ten minutes:
#   export KRISIS_QUEUE_SECRET="$(cat queue.secret)" KRISIS_QUEUE_URL=rediss://krisis:PASSWORD@redis.example:6379
#   sbatch --export=ALL,KRISIS_QUEUE_URL,KRISIS_QUEUE_SECRET slurm-array.sh
#   npx krisis run ckd/staging -m openai-compatible/med42 --set endpoint=cluster-a --queue
#SBATCH --job-name=krisis-worker
#SBATCH --array=1-8
#SBATCH --gres=gpu:1
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@300
set -euo pipefail

: "${KRISIS_QUEUE_URL:?set KRISIS_QUEUE_URL}" "${KRISIS_QUEUE_SECRET:?set KRISIS_QUEUE_SECRET}"
PORT=$((8000 + SLURM_ARRAY_TASK_ID))

vllm serve m42-health/Llama3-Med42-8B --served-model-name med42 --port "$PORT" &
SERVER=$!
trap 'kill "$SERVER"' EXIT
until curl --silent --fail "http://127.0.0.1:$PORT/health" > /dev/null; do sleep 5; done

npx krisis ops worker --model openai-compatible/med42 --base-url "http://127.0.0.1:$PORT/v1" \
  --name "$SLURMD_NODENAME-$SLURM_ARRAY_TASK_ID" --concurrency 32 --idle-exit 10m &
WORKER=$!
# Five minutes before the time is up: finish the calls under way. The others go to the other nodes.
trap 'kill -TERM "$WORKER"' TERM
wait "$WORKER" || wait "$WORKER"
