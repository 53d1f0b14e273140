import { paragraph, section } from '../../reports/document/blocks.ts';
import type { Section } from '../../reports/document/document.ts';
import { counted, number } from '../../reports/words.ts';
import type { JudgedResult } from './judged-result.ts';

/** Claims that match no item, checked against a source; null where no source was given. */
export function claims({ judging: { claims: found } }: JudgedResult): Section | null {
  if (found === null) return null;
  const { answersWithUnsupported, pooled, contradictedShare, nClaims, nAnswers, nWithoutClaims } = found;
  return section({ id: 'claims', title: 'Claims that match no item' }, [
    paragraph(
      `Checked by ${found.judge} against ${found.source.name}. ${number(answersWithUnsupported)} of the answers have at least one claim that the source does not support (${counted(nAnswers, 'answer')} with checkable claims). Claim precision ${number(pooled)} of ${counted(nClaims, 'claim')}, contradicted ${number(contradictedShare)}; both depend on how finely the text is cut.`,
    ),
    nWithoutClaims > 0 &&
      paragraph(`${counted(nWithoutClaims, 'answer')} without checkable claims: not scored.`),
    found.nFailed > 0 &&
      paragraph(`The claims of ${counted(found.nFailed, 'answer')} could not be listed: in no number.`),
  ]);
}
