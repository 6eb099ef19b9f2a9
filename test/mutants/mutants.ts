import { aaMutants } from './aa-mutants.js';
import { admissionMutants } from './admission-mutants.js';
import { armMutants } from './arm-mutants.js';
import { bankMutants } from './bank-mutants.js';
import { bundleMutants } from './bundle-mutants.js';
import { comparisonMutants } from './comparison-mutants.js';
import { deliberateMutants } from './deliberate-mutants.js';
import { findingsMutants } from './findings-mutants.js';
import { gateMutants } from './gate-mutants.js';
import { guardMutants } from './guard-mutants.js';
import { importMutants } from './import-mutants.js';
import { intervalMutants } from './interval-mutants.js';
import { judgingMutants } from './judging-mutants.js';
import { lessonInjectionMutants } from './lesson-injection-mutants.js';
import { lessonMutants } from './lesson-mutants.js';
import { memoryMutants } from './memory-mutants.js';
import { moneyMutants } from './money-mutants.js';
import type { Mutant } from './mutant.js';
import { ownerLedgerMutants } from './owner-ledger-mutants.js';
import { providerMutants } from './provider-mutants.js';
import { queryGroupMutants } from './query-group-mutants.js';
import { replicateMutants } from './replicate-mutants.js';
import { reportMoneyMutants } from './report-money-mutants.js';
import { reportMutants } from './report-mutants.js';
import { reproduceMutants } from './reproduce-mutants.js';
import { rescoringMutants } from './rescoring-mutants.js';
import { resumeMutants } from './resume-mutants.js';
import { runEndMutants } from './run-end-mutants.js';
import { runMutants } from './run-mutants.js';
import { stateMutants } from './state-mutants.js';
import { statisticsMutants } from './statistics-mutants.js';
import { vectorMutants } from './vector-mutants.js';
import { watchMutants } from './watch-mutants.js';

export type { Mutant } from './mutant.js';

/** Every kept mutant (RS-6, CHECKS 6). `npm run mutants` applies each and wants its tests to fail. */
export const MUTANTS: readonly Mutant[] = [
  ...moneyMutants,
  ...providerMutants,
  ...bankMutants,
  ...judgingMutants,
  ...memoryMutants,
  ...stateMutants,
  ...runMutants,
  ...runEndMutants,
  ...replicateMutants,
  ...reproduceMutants,
  ...rescoringMutants,
  ...resumeMutants,
  ...importMutants,
  ...armMutants,
  ...vectorMutants,
  ...guardMutants,
  ...gateMutants,
  ...admissionMutants,
  ...watchMutants,
  ...deliberateMutants,
  ...queryGroupMutants,
  ...lessonMutants,
  ...ownerLedgerMutants,
  ...lessonInjectionMutants,
  ...statisticsMutants,
  ...bundleMutants,
  ...comparisonMutants,
  ...intervalMutants,
  ...aaMutants,
  ...reportMutants,
  ...reportMoneyMutants,
  ...findingsMutants,
];
