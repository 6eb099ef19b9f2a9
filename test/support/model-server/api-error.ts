/** A refusal: its status, and the body that the API gives with it. */
export interface ApiError {
  readonly status: number;
  readonly body: unknown;
}
