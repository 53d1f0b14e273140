import type { Features, Guideline } from '../../../suites/task.ts';
import { type BpGuideline, bpCategory, isHigh } from '../blood-pressure.ts';
import {
  hasContextLine,
  lastReadings,
  readFollowUp,
  readPhenotype,
  readTreatment,
  SHOWN,
  visitsIn,
} from '../features.ts';
import { visitMean } from '../office-average.ts';
import { ADULT_AGE } from './classification.ts';
import { phenotypeOf } from './phenotype.ts';

/** A child, or anything that the record remarks on. */
function isRemarkable(features: Features): boolean {
  const age = features[SHOWN.age];
  return hasContextLine(features) || typeof age !== 'number' || age < ADULT_AGE;
}

/**
 * What deferring without reasoning earns: a reader who defers on any clinical context, on a child and on a missing critical value, and otherwise answers by one glance at the last value.
 */
export function classificationLook(guideline: BpGuideline): Guideline {
  const last = (features: Features) => visitsIn(features).at(-1)?.readings.at(-1);
  return {
    answer: (features) => {
      const reading = last(features);
      return reading === undefined ? null : bpCategory(reading, guideline);
    },
    shouldDefer: (features) =>
      isRemarkable(features) || last(features) === undefined || visitsIn(features).length < 2,
  };
}

export function phenotypeLook(guideline: BpGuideline): Guideline {
  return {
    answer: (features) => {
      const { office, outside } = lastReadings(features);
      const { outOfOffice } = readPhenotype(features);
      if (office === null || outside === null || outOfOffice === null) return null;
      return phenotypeOf(
        isHigh(office, guideline, 'office'),
        isHigh(outside, guideline, outOfOffice.setting),
      );
    },
    shouldDefer: (features) => {
      const { outOfOffice, onTreatment } = readPhenotype(features);
      return isRemarkable(features) || onTreatment === true || outOfOffice === null;
    },
  };
}

export function treatmentLook(): Guideline {
  return {
    answer: (features) => {
      const { mean } = readTreatment(features);
      return mean === null ? null : mean[0] >= 140 ? 'start' : 'no_drug';
    },
    shouldDefer: (features) => {
      const { mean, cvd, diabetes, ckd, preventPercent } = readTreatment(features);
      return isRemarkable(features) || [mean, cvd, diabetes, ckd, preventPercent].includes(null);
    },
  };
}

export function followUpLook(guideline: BpGuideline): Guideline {
  return {
    answer: (features) => {
      const visit = readFollowUp(features).visits.at(-1);
      if (visit === undefined || visit.readings.length === 0) return null;
      const [sbp, dbp] = visitMean(visit, guideline);
      return sbp >= 130 || dbp >= 80 ? 'uncontrolled' : 'controlled';
    },
    shouldDefer: isRemarkable,
  };
}
