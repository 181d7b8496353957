import type { Instant } from "~/domain/calendar"
import type { OperatorRole } from "~/domain/operators/operator"

/** Port of the operators of the console and their sessions. Every call may throw a `BillingError`. */
export interface OperatorRepository {
  /** Whether there is an operator, disabled or not: without one the console does not exist. */
  exist(): Promise<boolean>
  /** Adds an operator with a one-time link. `unchanged`: one has this e-mail. */
  add(operator: NewOperator, by: ChangedBy): Promise<AccountChange>
  /** All operators, the disabled ones too. */
  list(): Promise<readonly OperatorListed[]>
  /** The operator with an e-mail; null if there is none. */
  find(email: string): Promise<OperatorListed | null>
  /** Takes password, code secret and recovery codes away, ends the sessions, and gives a new one-time link. */
  reset(id: string, access: NewAccess & { readonly at: Instant }, by: ChangedBy): Promise<AccountChange>
  /** Disables an operator and ends the sessions. `unchanged`: disabled already. */
  disable(id: string, at: Instant, by: ChangedBy): Promise<AccountChange>
  /** The operator of an unused one-time link; null for an unknown, used or expired one. */
  byLink(linkHash: string, now: Instant): Promise<OperatorSetUp | null>
  /** Uses a one-time link: sets the password and the recovery codes. False if the link was used meanwhile. */
  setUp(link: UsedLink): Promise<boolean>
  /** Checks a password, in the same time for an unknown e-mail. Null if wrong, not set up or disabled. */
  checkPassword(email: string, password: string): Promise<OperatorSecrets | null>
  /** Uses the code of a time step. False if a code of this step or a later one was used. */
  spendCode(id: string, counter: number): Promise<boolean>
  /** Uses a recovery code. False if there is none with this hash. */
  spendRecoveryCode(id: string, codeHash: string): Promise<boolean>
  /** How many recovery codes an operator has not used. */
  recoveryCodesLeft(id: string): Promise<number>
  /** Replaces the recovery codes and ends the other sessions of the operator. False if the session has ended meanwhile. */
  replaceRecoveryCodes(
    id: string,
    change: FactorChange & { readonly codeHashes: readonly string[] },
  ): Promise<boolean>
  /** Sets another password and ends the other sessions of the operator. False if the session has ended meanwhile. */
  changePassword(id: string, change: FactorChange & { readonly password: string }): Promise<boolean>
  /** Opens a session. False if the operator was disabled or reset meanwhile, or has another password by now. */
  addSession(session: NewOperatorSession): Promise<boolean>
  /** The open session of a token and its operator; records its use if it is one. Null if ended, expired or disabled. */
  session(
    tokenHash: string,
    limits: SessionLimits & { readonly isUse: boolean },
  ): Promise<OperatorSession | null>
  /** Records that password and code were given again in a session. */
  prove(sessionId: string, at: Instant): Promise<void>
  /** Open sessions of an operator, the last used first. */
  sessions(operatorId: string, limits: SessionLimits): Promise<readonly SessionListed[]>
  /** Ends a session of an operator. False if it is not open. */
  endSession(operatorId: string, sessionId: string, at: Instant): Promise<boolean>
  /** Ends all sessions of an operator. Returns their number. */
  endSessions(operatorId: string, at: Instant): Promise<number>
  /** Deletes sessions opened before. Returns how many. */
  deleteSessions(before: Instant): Promise<number>
}

/** Who changes an operator's account. `operatorId`: null for the admin CLI. `operator`: e-mail, or "admin CLI". */
export type ChangedBy = { readonly operatorId: string | null; readonly operator: string }

/** `no-owner`: nothing was changed, since who asks was disabled or reset at that moment. */
export type AccountChange = "done" | "unchanged" | "no-owner"

/** `linkHash`: of the token of the one-time link. `totpSecret`: encrypted. */
type NewAccess = { readonly linkHash: string; readonly linkUntil: Instant; readonly totpSecret: string }

export type NewOperator = NewAccess & {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly at: Instant
}

export type OperatorListed = {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly createdAt: Instant
  /** When the account was added, or last got a one-time link. */
  readonly accessAt: Instant
  /** Whether the access was given by the admin CLI while the console was set up, to an account that nobody had used. */
  readonly countsAtOnce: boolean
  readonly disabledAt: Instant | null
  /** Whether the one-time link was used. */
  readonly isSetUp: boolean
  /** When a session was last used; null without one. */
  readonly usedAt: Instant | null
}

export type OperatorSetUp = {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly totpSecret: string
}

export type UsedLink = {
  readonly id: string
  readonly linkHash: string
  readonly password: string
  readonly counter: number
  readonly codeHashes: readonly string[]
}

export type OperatorSecrets = {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  /** Encrypted. */
  readonly totpSecret: string
  /** Tells the password that was checked from a later one. */
  readonly passwordMark: string
}

/** `keptSession`: the session that goes on. */
type FactorChange = { readonly keptSession: string; readonly at: Instant }

export type NewOperatorSession = {
  readonly id: string
  readonly tokenHash: string
  readonly operatorId: string
  /** Of the password by which it is opened; absent: by a one-time link. */
  readonly passwordMark?: string | undefined
  readonly at: Instant
  readonly address: string | null
  readonly browser: string | null
}

/** `idle` and `longest`, in milliseconds: after the last use, and after sign-in. */
export type SessionLimits = { readonly now: Instant; readonly idle: number; readonly longest: number }

export type OperatorSession = {
  readonly id: string
  readonly operatorId: string
  readonly email: string
  readonly role: OperatorRole
  readonly provenAt: Instant
}

export type SessionListed = {
  readonly id: string
  readonly createdAt: Instant
  readonly usedAt: Instant
  readonly address: string | null
  readonly browser: string | null
}
