// A model on this machine, asked by Ollama. README.md in this folder says how to start it.
import { defineConfig } from 'krisis';

export default defineConfig({
  run: {
    // The name as `ollama list` prints it.
    model: 'ollama/llama3.2',
    // One record a call: what is published, and what fits into a small context.
    batchSize: 1,
    // As many as the server works on at the same time (OLLAMA_NUM_PARALLEL). More would only wait there, and waiting counts against the timeout.
    maxConcurrency: 4,
    temperature: 0,
    // A small machine takes its time, and the first call also loads the model.
    timeout: 900,
  },
});
