import { indexReceiptContract, queryReceiptContract } from '../../../../test/contract/embedding-admission.contract.js';
import { inMemoryAdmissionBench } from '../../../../test/support/admission-bench.js';

indexReceiptContract('the in-memory admission', inMemoryAdmissionBench);
queryReceiptContract('the in-memory admission', inMemoryAdmissionBench);
