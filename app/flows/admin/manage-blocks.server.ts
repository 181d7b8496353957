import type { CustomerAdmin } from "~/billing/customers/customer-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { isEmail, normalizeEmail } from "~/domain/customers/email"
import { includes } from "~/domain/includes"
import { emailShownTo, type OperatorAction, type OperatorRole } from "~/domain/operators/operator"
import { type Block, type Blocked, type BlockKind, blockKinds } from "~/domain/orders/fraud"
import { blockedIn } from "~/security/block-value.server"
import type { SentKey } from "./form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "./run-operator-action.server"

export const blockActions = ["add-block", "remove-block"] as const satisfies readonly OperatorAction[]
export type BlockAction = (typeof blockActions)[number]

/** Whether a form names an action on blocks. */
export function isBlockAction(text: string): text is BlockAction {
  return includes(blockActions, text)
}

type Blocking = Pick<CustomerAdmin, "block" | "unblock" | "blocks" | "customersNamed" | "emailsOf">

/** `name`: what people call it: of a customer the e-mail, as the role sees it. */
export type ListedBlock = Block & { readonly name: string }

export type BlockList = {
  /** Newest first. */
  readonly blocks: readonly ListedBlock[]
  /** There are more. */
  readonly isCut: boolean
}

export type BlockFilter = { readonly kind?: BlockKind | undefined; readonly text: string }

type Listing = { readonly limit: number; readonly role: OperatorRole }

/** The newest blocks of a kind whose value begins with a text; a customer's by the whole e-mail. */
export async function listBlocked(
  customers: Pick<Blocking, "blocks" | "customersNamed" | "emailsOf">,
  { kind, text }: BlockFilter,
  { limit, role }: Listing,
): Promise<BlockList> {
  const sought = (await valueSought(customers, text.trim())).toLowerCase()
  const found = (await customers.blocks())
    .filter((it) => kind === undefined || it.kind === kind)
    .filter(({ value }) => value.toLowerCase().startsWith(sought))
    .toSorted((a, b) => b.at - a.at)
  const shown = found.slice(0, limit)
  const emails = await customers.emailsOf(
    shown.filter((it) => it.kind === "customer").map(({ value }) => value),
  )
  const nameOf = ({ kind: of, value }: Block) => {
    const email = of === "customer" ? emails.get(value) : undefined
    return email ? emailShownTo(role, email) : value
  }
  return { blocks: shown.map((it) => ({ ...it, name: nameOf(it) })), isCut: found.length > limit }
}

async function valueSought(customers: Pick<Blocking, "customersNamed">, text: string): Promise<string> {
  const named = isEmail(text) ? await blockedNamed(customers, text) : text
  return typeof named === "string" ? text : named.value
}

/** The kind of block that a form names; undefined for any other text. */
export function blockKindIn(text: string): BlockKind | undefined {
  return blockKinds.find((it) => it === text)
}

type Named = Blocked | "no-such-customer" | "value-invalid"

/** What a text names: an address, a network, a country, or by the email a customer. */
export async function blockedNamed(
  customers: Pick<Blocking, "customersNamed">,
  text: string,
): Promise<Named> {
  const named = text.trim()
  if (!isEmail(named)) return blockedIn(named) ?? "value-invalid"
  const found = await customers.customersNamed({ kind: "email", text: named, isWhole: true, limit: 20 })
  // Who had the e-mail before is not meant.
  const customer = found.find(({ email }) => normalizeEmail(email) === normalizeEmail(named))
  return customer ? { kind: "customer", value: customer.id } : "no-such-customer"
}

/** What the audit log names: it has no emails. */
export function subjectOfBlock({ kind, value }: Blocked): string {
  return kind === "customer" ? `customer ${value}` : `block ${value}`
}

type Change = { readonly action: BlockAction; readonly reason: string | null; readonly at: Instant }

/** Adds a block, or removes one; false if there is none to remove. */
export async function changeBlock(
  customers: Pick<Blocking, "block" | "unblock">,
  blocked: Blocked,
  { action, reason, at }: Change,
): Promise<boolean> {
  if (action === "remove-block") return customers.unblock(blocked)
  await customers.block({ ...blocked, reason, at })
  return true
}

export type BlockForm = {
  readonly action: BlockAction
  /** What is typed to block it, or kind and value of a block to remove. */
  readonly value: string
  readonly reason: string
  readonly formKey: SentKey
}

export type BlockProblem = "reason-missing" | "value-invalid" | "no-such-customer" | "not-blocked"

/** Adds or removes a block by a form of the console, and writes the audit log. */
export async function blockByForm(
  services: ConsoleServices,
  actor: Actor,
  form: BlockForm,
): Promise<FormOutcome<null, BlockProblem>> {
  const { action, value, reason, formKey } = form
  const { customers } = services.console
  const blocked = action === "remove-block" ? listedIn(value) : await blockedNamed(customers, value)
  const subject = typeof blocked === "string" ? "block" : subjectOfBlock(blocked)
  const request = { action, subject, reason, formKey, problem: problemOf(form, blocked) }
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const change = { action, reason, at: services.now() }
    const isChanged = typeof blocked !== "string" && (await changeBlock(customers, blocked, change))
    return { after: { result: isChanged ? "done" : "not-blocked" }, value: isChanged }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value ? { kind: "done", value: null } : { kind: "problem", problem: "not-blocked" }
}

function problemOf({ reason }: BlockForm, blocked: Named): BlockProblem | null {
  if (typeof blocked === "string") return blocked
  return missingReason(reason)
}

/** The block of a `blockKey`. */
function listedIn(key: string): Named {
  const [name = "", value = ""] = key.split(" ")
  const kind = blockKindIn(name)
  return kind && value !== "" ? { kind, value } : "value-invalid"
}
