import type { Instant } from "~/domain/calendar"
import type { DunningStep } from "~/domain/services/dunning"
import type { Brake, Outage } from "~/domain/services/dunning-brake"

/**
 * Dunning of the services that this shop bills itself: reminders, suspension and termination of services that nobody
 * renews (specification, Dunning). Every call may throw a `BillingError`.
 */
export interface Dunning {
  /** Services with a step that is due, longest due first, at most `limit`. */
  due(now: Instant, limit: number): Promise<readonly DueService[]>
  /**
   * Takes the step of one service in one transaction, with its message and its call of the panel. Whatever has changed
   * since `due` is read again, so that any number of workers take each step once.
   */
  take(due: DueService, now: Instant): Promise<StepOutcome>
  /**
   * Suspensions and terminations that are due and that the operator has not released, and active services, counted as far as it
   * matters.
   */
  ending(now: Instant): Promise<Ending>
  /** The brake that is on; null: none. */
  brake(): Promise<Brake | null>
  /** Puts the brake on, with a message to the operator. False: it is on. */
  stop(brake: Brake): Promise<boolean>
  /** The operator's word: releases the brake for all that was due until now. False: it was not on. */
  release(reason: string, at: Instant): Promise<boolean>
  /** Records that a pass runs. Returns when the last one ran; null for the first one, also after a release. */
  observe(at: Instant): Promise<Instant | null>
  /** Records that a part was down, as one outage with the last one of this part if that has just been seen. */
  recordOutage(outage: Outage): Promise<void>
  /** Whether so many jobs of services fail that the panel is down rather than they. */
  panelFails(): Promise<boolean>
  /**
   * Computes the next step of services that have not ended yet anew, if reminders or mail are set otherwise than at the last call:
   * reminders that were added apply to terms that run already. Idempotent. Returns how many have another step now.
   */
  replanReminders(at: Instant): Promise<number>
  /** The end of a service, for messages about it; null without one. */
  endOf(serviceId: string): Promise<ServiceEnd | null>
}

export type DueService = {
  readonly serviceId: string
  readonly step: string
  readonly at: Instant
  /** The customer has consented to renew it from account credit: that is tried before the step. */
  readonly renewsFromCredit: boolean
}

/**
 * `done`: the step was taken. `moved`: it is due later, since term or configuration have changed. `held`: a payment is in
 * flight. `waiting`: its notice is not a day old. `taken`: another worker was faster. `braked`: nothing was changed, and
 * dunning must stop.
 */
export type StepOutcome =
  | { readonly kind: "done"; readonly step: DunningStep }
  | { readonly kind: "moved" | "held" | "waiting" | "taken" }
  | { readonly kind: "braked"; readonly outage: Outage }

export type Ending = { readonly count: number; readonly active: number }

export type ServiceEnd = {
  readonly orderId: string
  readonly product: string
  readonly username: string
  readonly paidUntil: Instant
  readonly suspension: Instant
  readonly termination: Instant
  /** Since when a payment in flight holds its steps; null: none does. */
  readonly heldSince: Instant | null
  /** The customer has said not to renew it. */
  readonly isDeclined: boolean
  /** Its product is not renewed any more, and no other plan follows. */
  readonly isLast: boolean
  /** It is a free trial that nobody has paid for. */
  readonly isTrial: boolean
}
