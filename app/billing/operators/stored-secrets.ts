/** Port of the secrets that are stored encrypted. Every call may throw a `BillingError`. */
export interface StoredSecrets {
  /** All of them: a shop has few. */
  list(): Promise<readonly StoredSecret[]>
  /** Writes a secret that is encrypted anew. False if it is not the one any more that was read, so that nothing was written. */
  replace(secret: StoredSecret, sealed: string): Promise<boolean>
}

/**
 * `operator`: the key of an operator's authenticator app. `webhook` and `former-webhook`: the secret of an endpoint, and the one before.
 * `name`: the operator's e-mail, or the endpoint's id.
 */
export type StoredSecret = {
  readonly kind: "operator" | "webhook" | "former-webhook"
  readonly id: string
  readonly name: string
  readonly sealed: string
}
