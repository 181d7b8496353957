import type { Service } from "~/domain/services/service"

/**
 * Provisioner of services: local, or an operator's panel. Every call throws `ProvisioningError` on failure and is
 * idempotent: the same call twice has the effect of one.
 */
export interface Provisioner {
  /**
   * Creates the service at the panel, or returns the existing one. `host`: server URL for players; for a reseller's
   * service (`line.kind`) the panel URL. `unfinished`: what failed although the service works, for the operator; the
   * caller repeats the call later.
   */
  create(line: Service): Promise<{ host: string; unfinished?: string }>
  /** Terminates the service. A missing one is not an error. */
  terminate(line: Service): Promise<void>
  /** Sets the end of the service's paid time to `line.paidUntil`; whether it is suspended stays. */
  extend(line: Service): Promise<void>
  /** Ends the service's streams until it is resumed; its credentials stay. A missing one is not an error. */
  suspend(line: Service): Promise<void>
  /** Ends a suspension and sets the end of the paid time to `line.paidUntil`. A running service stays as it is. */
  resume(line: Service): Promise<void>
  /** Ends the service's running streams; its credentials stay. */
  restart(line: Service): Promise<void>
  /** Sets the service's device address: `line.deviceAddress`, which is not null. */
  setDeviceAddress(line: Service): Promise<void>
  /** Sets the number of simultaneous connections to `line.connections`. */
  setConnections(line: Service): Promise<void>
  /**
   * Tells the panel how many credits a reseller's account was sold in all. The shop has them: its reseller makes lines here with them,
   * or at a panel that gives its own for them.
   */
  setCredits(account: Service, credits: number): Promise<void>
  /**
   * Sets product, cycle, connections and proxy protection of the service, and the end of its paid time, to those of `line`, after
   * a change of plan; whether it is suspended stays.
   */
  setPlan(line: Service): Promise<void>
  /**
   * The M3U playlist of a provisioned service. Resolves once its first bytes are known; the stream throws
   * `ProvisioningError` if the rest does not come.
   */
  playlist(line: WorkingLine): Promise<AsyncIterable<Uint8Array>>
  /** The panel's playlist URL for players; null if only this shop serves the playlist. */
  playlistAddress(line: WorkingLine): string | null
}

export type WorkingLine = Service & { host: string }

type ErrorDetails = ErrorOptions & { isRefusal?: boolean; retryAfterMs?: number }

export class ProvisioningError extends Error {
  override name = "ProvisioningError"
  /** The panel has answered that it does not do it. Otherwise it is unknown whether it has. */
  readonly isRefusal: boolean
  /** The least wait before the next call that was asked for, in milliseconds; 0: none. */
  readonly retryAfterMs: number

  constructor(message: string, { isRefusal = false, retryAfterMs = 0, ...options }: ErrorDetails = {}) {
    super(message, options)
    this.isRefusal = isRefusal
    this.retryAfterMs = retryAfterMs
  }
}
