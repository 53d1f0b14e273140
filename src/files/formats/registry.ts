import { everyEvalEver } from './every-eval-ever.ts';
import type { ResultFormat } from './format.ts';
import { helm } from './helm.ts';
import { inspect } from './inspect.ts';
import { karenina } from './karenina.ts';
import { lmEval } from './lm-eval.ts';
import { promptfoo } from './promptfoo.ts';

/** The readers of other tools' files, in the order in which they are tried. */
export const FORMATS: readonly ResultFormat[] = [inspect, lmEval, helm, promptfoo, everyEvalEver, karenina];
