import type { SeenVersion, VersionSaved } from "~/billing/versions"
import type { ConsoleServices } from "~/context/services.server"
import type { Flaw } from "~/domain/flaw"
import type { OperatorAction } from "~/domain/operator"
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
  readonly formKey: string
  /** Number of the last version when the page was opened. */
  readonly seen: string
  readonly proof: { readonly password: string; readonly code: string }
}

type Making = {
  readonly action: OperatorAction
  /** What it is about, such as "brand" or "tax version 3". */
  readonly subject: string
  readonly form: VersionForm
  /** Number of the last version. */
  readonly latest: number
  /** What is wrong with what was typed: said before reason and password are asked for. Null: nothing. */
  readonly wrong: Invalid | null
  readonly save: (made: SeenVersion) => Promise<VersionOutcome>
}

export type VersionMaking = FormOutcome<Saved, VersionProblem>

/** Makes a version with a form of the console, and writes the audit log. What a role may not do is refused, and recorded. */
export async function makeVersion(
  services: ConsoleServices,
  actor: Actor,
  { action, subject, form, latest, wrong, save }: Making,
): Promise<VersionMaking> {
  const { reason, formKey, proof } = form
  const problem = staleness(form, latest) ?? wrong ?? unreasoned(form)
  const request = { action, subject, reason, formKey, proof, problem }
  const outcome = await runOperatorForm<VersionOutcome, VersionProblem>(
    services,
    actor,
    request,
    async () => {
      const value = await save({
        author: actor.session.email,
        reason,
        at: services.now(),
        seenVersion: latest,
      })
      return { before: { version: latest }, after: logOf(value), value }
    },
  )
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  return value.kind === "saved" ? { kind: "done", value } : { kind: "problem", problem: value }
}

function staleness({ seen }: VersionForm, latest: number): VersionProblem | null {
  return seen === String(latest) ? null : { kind: "changed" }
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
