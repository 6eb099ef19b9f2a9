/** What an equal state says, and what it does not (ST-5). */
export const PARITY_SHOWS =
  'Parity shows that arms start from the same beliefs, superseded ones and People included; not that vectors are equal, nor that formation found every fact.';
