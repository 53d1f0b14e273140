import { ledgerClass } from '../../core/index.ts';
import type { BenchmarkRow } from '../../results/index.ts';

/** A row of a run in its file form; `krisis score` reads it back. */
export function rowObject(row: BenchmarkRow) {
  return {
    id: row.id,
    repeat: row.repeat,
    ground_truth: row.groundTruth,
    prediction: row.prediction,
    state: row.state,
    state_reason: row.stateReason,
    abstained: row.abstained,
    confidence: row.confidence,
    confidence_source: row.confidenceSource,
    ledger_class: ledgerClass(row),
    metadata: row.metadata,
    prompt: row.prompt,
    prompt_mode: row.promptMode,
    raw_response: row.rawResponse,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    total_tokens: row.totalTokens,
    tokens_estimated: row.tokensEstimated,
    repaired: row.repaired,
  };
}
