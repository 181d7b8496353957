import { HOUR, MINUTE } from "../calendar"
import { maskedEmail } from "../customers/email"

/** Roles of operators, from the most to the least that they may do. */
export const operatorRoles = ["owner", "support", "viewer"] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** What each role may do, as the admin CLI and the console say it. */
export const roleDescriptions: Readonly<Record<OperatorRole, string>> = {
  owner: "can do everything",
  support: "can see and help, cannot move money",
  viewer: "can see, with masked email addresses",
}

/** What stands for the admin CLI where an operator has an email: in the audit log, and in all else that says who has acted. */
export const ADMIN_CLI = "admin CLI"

/** Password and code given again are good for this long. */
export const PROOF_PERIOD = 10 * MINUTE

/** How long a one-time link works. */
export const OPERATOR_LINK_PERIOD = 24 * HOUR

export const RECOVERY_CODES = 10

type ActionRule = {
  readonly roles: readonly OperatorRole[]
  /**
   * Whether password and code must have been given in the last 10 minutes. So it is for what
   * - moves money, or notes that it was moved;
   * - ends a customer's service for good, or takes their data away;
   * - changes what customers pay, or get for it: prices, connections, promotions, tax, reseller credits;
   * - changes what the shop says in its own name, and where its events go;
   * - gives or takes access to the console, changes an account's factors, and shows or hands out data and login details.
   *
   * What only stops something, and can go on again, needs none: a mistake is stopped at once (a promotion, a gateway, an endpoint, a
   * service that is suspended).
   */
  readonly needsProof?: boolean
  /** Whether it only hands data out. Its page stays open behind the file, so that its form is sent again for another one. */
  readonly handsOut?: boolean
}

const everyRole = operatorRoles
const helpers: readonly OperatorRole[] = ["owner", "support"]
const owners: readonly OperatorRole[] = ["owner"]

/** Every action of the console: who may do it, and whether it needs password and code again. */
export const operatorActions = {
  "take-need": { roles: helpers },
  "leave-need": { roles: helpers },
  "end-session": { roles: everyRole },
  "new-recovery-codes": { roles: everyRole, needsProof: true },
  "change-password": { roles: everyRole, needsProof: true },
  "add-operator": { roles: owners, needsProof: true },
  "reset-operator": { roles: owners, needsProof: true },
  "disable-operator": { roles: owners, needsProof: true },
  "end-operator-sessions": { roles: owners },
  "export-audit-log": { roles: owners, needsProof: true, handsOut: true },
  "poll-order": { roles: helpers },
  "add-note": { roles: helpers },
  "change-tags": { roles: helpers },
  "resend-mail": { roles: helpers },
  "allow-address": { roles: helpers },
  "send-test-mail": { roles: helpers },
  "retry-job": { roles: helpers },
  "discard-job": { roles: owners },
  "release-order": { roles: helpers },
  "refuse-order": { roles: helpers },
  "cancel-order": { roles: helpers },
  "mark-order-paid": { roles: owners, needsProof: true },
  "waive-rest": { roles: owners, needsProof: true },
  "refund-order": { roles: owners, needsProof: true },
  "dismiss-refund": { roles: owners },
  "dismiss-chargeback": { roles: owners },
  "confirm-action": { roles: owners, needsProof: true },
  "refuse-action": { roles: owners },
  "assign-payment": { roles: owners, needsProof: true },
  "credit-payment": { roles: owners, needsProof: true },
  "return-payment": { roles: owners, needsProof: true },
  "dismiss-payment": { roles: owners },
  "drain-gateway": { roles: helpers },
  "offer-gateway": { roles: helpers },
  "test-callback": { roles: helpers },
  "switch-off-promotion": { roles: helpers },
  "switch-on-promotion": { roles: helpers, needsProof: true },
  "add-promotion": { roles: owners, needsProof: true },
  "edit-promotion": { roles: owners, needsProof: true },
  "edit-catalogue": { roles: owners, needsProof: true },
  "take-back-catalogue": { roles: owners, needsProof: true },
  "schedule-price": { roles: owners, needsProof: true },
  "unschedule-price": { roles: owners, needsProof: true },
  "edit-tax": { roles: owners, needsProof: true },
  "confirm-tax": { roles: owners, needsProof: true },
  "switch-off-tax": { roles: owners, needsProof: true },
  "use-tax-file": { roles: owners, needsProof: true },
  "take-back-tax": { roles: owners, needsProof: true },
  "edit-brand": { roles: owners, needsProof: true },
  "take-back-brand": { roles: owners, needsProof: true },
  "reset-brand": { roles: owners, needsProof: true },
  "generate-promotion-codes": { roles: owners, needsProof: true },
  "export-promotion-codes": { roles: owners, needsProof: true, handsOut: true },
  "withdraw-promotion-codes": { roles: helpers },
  "grant-reseller-credits": { roles: owners, needsProof: true },
  "export-reseller-credits": { roles: owners, needsProof: true, handsOut: true },
  "export-affiliates": { roles: owners, needsProof: true, handsOut: true },
  "continue-numbers": { roles: owners, needsProof: true },
  "re-encrypt-secrets": { roles: owners, needsProof: true },
  "export-accounting": { roles: owners, needsProof: true, handsOut: true },
  "add-webhook": { roles: owners, needsProof: true },
  "edit-webhook": { roles: owners, needsProof: true },
  "rotate-webhook-secret": { roles: owners, needsProof: true },
  "remove-webhook": { roles: owners, needsProof: true },
  "test-webhook": { roles: helpers },
  "redeliver-webhook": { roles: helpers },
  "pause-webhook": { roles: helpers },
  "resume-webhook": { roles: helpers },
  "export-orders": { roles: owners, needsProof: true, handsOut: true },
  "export-customers": { roles: owners, needsProof: true, handsOut: true },
  "export-services": { roles: owners, needsProof: true, handsOut: true },
  "show-credentials": { roles: helpers, needsProof: true },
  "extend-service": { roles: helpers },
  "suspend-service": { roles: helpers },
  "resume-service": { roles: helpers },
  "recreate-service": { roles: helpers },
  "set-device": { roles: helpers },
  "set-connections": { roles: owners, needsProof: true },
  "move-price": { roles: owners, needsProof: true },
  "keep-price": { roles: owners, needsProof: true },
  "stop-bulk": { roles: helpers },
  "terminate-service": { roles: owners, needsProof: true },
  "mail-sign-in-link": { roles: helpers },
  "view-as-customer": { roles: helpers },
  "add-block": { roles: helpers },
  "remove-block": { roles: helpers },
  "block-customer": { roles: helpers },
  "unblock-customer": { roles: helpers },
  "correct-email": { roles: helpers, needsProof: true },
  "grant-credit": { roles: owners, needsProof: true },
  "export-customer": { roles: owners, needsProof: true, handsOut: true },
  "erase-customer": { roles: owners, needsProof: true },
} as const satisfies Record<string, ActionRule>

export type OperatorAction = keyof typeof operatorActions

/** Actions whose forms act once, since they change something. */
export type OneTimeAction = {
  [A in OperatorAction]: (typeof operatorActions)[A] extends { readonly handsOut: true } ? never : A
}[OperatorAction]

/** Whether operators of a role may do an action. */
export function mayDo(role: OperatorRole, action: OperatorAction): boolean {
  const { roles }: ActionRule = operatorActions[action]
  return roles.includes(role)
}

/** Whether an action needs password and code of the last 10 minutes. */
export function needsProof(action: OperatorAction): boolean {
  const { needsProof: isNeeded = false }: ActionRule = operatorActions[action]
  return isNeeded
}

/** Whether a form with this action acts once only, however often it is sent. */
export function actsOnce(action: OperatorAction): boolean {
  const { handsOut = false }: ActionRule = operatorActions[action]
  return !handsOut
}

/** An email address as a role sees it: masked for a viewer. */
export function emailShownTo(role: OperatorRole, email: string): string {
  return role === "viewer" ? maskedEmail(email) : email
}

/** Who has acted, as a role sees it: an operator's email, or "admin CLI". */
export function operatorShownTo(role: OperatorRole, operator: string): string {
  return operator.includes("@") ? emailShownTo(role, operator) : operator
}

/** Whether a role finds people by the beginning of an e-mail: who sees masked ones types the whole. */
export function findsByBeginning(role: OperatorRole): boolean {
  return role !== "viewer"
}
