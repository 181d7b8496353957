import type { SeenVersion, VersionSaved, Versions } from "~/billing/versions"
import type { ConsoleServices } from "~/context/services.server"
import type { Flaw } from "~/domain/flaw"
import type { OperatorAction } from "~/domain/operators/operator"
import type { SentKey } from "./form-key.server"
import { type Actor, type FormOutcome, runOperatorForm } from "./run-operator-action.server"

type Invalid = { readonly kind: "invalid"; readonly flaws: readonly Flaw[] }

/** What a change, a take-back or a reset has come to. */
export type VersionOutcome =
  | {
      readonly kind: "saved"
      readonly version: number
      /** What is different now, in words. */
      readonly changes: readonly string[]
    }
  | Invalid
  /** `changed`: somebody has made a version since. `same`: it is like that already. */
  | { readonly kind: "changed" | "same" | "unknown-version" }

/** What a port says of a change, with what is different in words. Null: the version that was to be taken back is unknown. */
export function versionOutcome<State>(
  saved: VersionSaved<State> | Invalid | null,
  changes: (before: State, after: State) => readonly string[],
): VersionOutcome {
  if (saved?.kind !== "saved") return saved ?? { kind: "unknown-version" }
  const { kind, version, before, after } = saved
  return { kind, version, changes: changes(before, after) }
}

type Saved = Extract<VersionOutcome, { kind: "saved" }>

/** Why a form made no version. */
export type VersionProblem = Exclude<VersionOutcome, Saved> | { readonly kind: "reason-missing" }

/** What every form that makes a version says. */
export type VersionForm = {
  readonly reason: string
  readonly formKey: SentKey
  /** Number of the last version when the page was opened. */
  readonly seen: string
  readonly proof: { readonly password: string; readonly code: string }
}

type Making<Wrong> = {
  readonly action: OperatorAction
  /** What it is about, such as "brand" or "tax version 3". */
  readonly subject: string
  readonly form: VersionForm
  readonly versions: Pick<Versions<object>, "lastFormKey">
  /** Number of the last version. */
  readonly latest: number
  /** What is wrong with what was typed: said before reason and password are asked for. Null: nothing. */
  readonly wrong: NoInfer<Wrong> | Invalid | null
  readonly save: (made: SeenVersion) => Promise<VersionOutcome>
}

export type VersionMaking<Wrong = never> = FormOutcome<Saved, VersionProblem | Wrong>

/**
 * Makes a version with a form of the console, and writes the audit log. What a role may not do is refused, and recorded. A form that is
 * sent again with other values, as after the browser's way back, makes another version if the last one is its own.
 */
export async function makeVersion<Wrong = never>(
  services: ConsoleServices,
  actor: Actor,
  { action, subject, form, versions, latest, wrong, save }: Making<Wrong>,
): Promise<VersionMaking<Wrong>> {
  const { reason, formKey, proof } = form
  const isSeen = form.seen === String(latest) || (await versions.lastFormKey()) === formKey.key
  const problem = isSeen ? (wrong ?? unreasoned(form)) : ({ kind: "changed" } as const)
  const request = { action, subject, reason, formKey, proof, problem, actsAgain: true }
  const outcome = await runOperatorForm<VersionOutcome, VersionProblem | Wrong>(
    services,
    actor,
    request,
    async () => {
      const value = await save({
        author: actor.session.email,
        reason,
        at: services.now(),
        seenVersion: latest,
        formKey: formKey.key,
      })
      return { before: { version: latest }, after: logOf(value), value }
    },
  )
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  return value.kind === "saved" ? { kind: "done", value } : { kind: "problem", problem: value }
}

function unreasoned({ reason }: VersionForm): VersionProblem | null {
  return reason === "" ? { kind: "reason-missing" } : null
}

function logOf(outcome: VersionOutcome): unknown {
  if (outcome.kind === "saved") return { version: outcome.version, changes: outcome.changes }
  return outcome.kind === "invalid"
    ? { error: "invalid", places: outcome.flaws.map(({ path }) => path.map(String).join(".")) }
    : { error: outcome.kind }
}
