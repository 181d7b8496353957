import type { ReactNode } from "react"
import type { CustomerDetails } from "~/billing/customers/customer-admin"
import { localText } from "~/domain/local-time"
import { currencies } from "~/domain/money/money"
import type { CustomerAction } from "~/domain/operators/customer-actions"
import { blockKey } from "~/domain/orders/fraud"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { countryText } from "../country-text.server"
import {
  type ActionNotice,
  FormKey,
  FormNotice,
  type ProofAsked,
  ProofFields,
  ReasonField,
} from "../form-parts.server"
import { Fact } from "../list-parts.server"
import { type OpenRequest, OpenRequests } from "../operators/open-requests.server"
import { customerHref } from "../record-links.server"
import { CustomerHistory } from "./customer-history.server"
import { languageText, ProvenPill, proofText } from "./customers-screen.server"

export type CustomerScreenProps = {
  customer: CustomerDetails
  isErased: boolean
  /** What the state of the customer allows to the operator. */
  actions: readonly CustomerAction[]
  /** Actions that need password and code of the last 10 minutes. */
  provenActions: readonly CustomerAction[]
  /** What waits for a second operator. */
  requests: readonly OpenRequest[]
  /** An external billing has the customers. */
  isElsewhere: boolean
  /** What the operator sees: an action on another state is refused. */
  seen: string
  /** A new key for each form. */
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: TypedCustomerForm | null
  timeZone: string
}

export type TypedCustomerForm = {
  readonly action: string
  readonly reason: string
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly email?: string | undefined
  /** What is to be blocked or not any more; or the request, of its own form. */
  readonly target?: string | undefined
  readonly force?: boolean | undefined
}

/** One customer: what they have and had, and what can be done. */
export function CustomerScreen(props: CustomerScreenProps) {
  const { customer, isErased, notice, timeZone } = props
  return (
    <>
      <div>
        <p>
          <a href={consoleHref("/admin/customers")}>{t("customers.title")}</a>
        </p>
        <div className="title">
          <h1 className="long">{isErased ? t("customer.erased") : customer.email}</h1>
          <ProvenPill hasEmail={customer.hasEmail} isProven={customer.isProven} />
        </div>
      </div>
      <FormNotice notice={notice} />
      <OpenRequests {...props} />
      <div className="with-side">
        <div>
          <Facts {...props} />
        </div>
        <div>
          <Actions {...props} />
          <Blocks {...props} />
          <SignIns {...props} />
        </div>
        <div>
          <CustomerHistory customer={customer} timeZone={timeZone} />
        </div>
      </div>
    </>
  )
}

function Facts({ customer, timeZone }: CustomerScreenProps) {
  const { credit, emailProvenAt, passwordScope } = customer
  const balances = credit.filter(({ minor }) => minor !== 0).map(amountText)
  return (
    <section className="card">
      <dl className="facts">
        <Fact name="customer.since">{localText(customer.createdAt, timeZone)}</Fact>
        <Fact name="customer.address">
          {emailProvenAt === null
            ? proofText(customer)
            : t("customer.provenAt", { at: localText(emailProvenAt, timeZone) })}
        </Fact>
        {customer.formerEmails.length > 0 && (
          <Fact name="customer.formerEmails">
            {customer.formerEmails.map(({ email, until }) => (
              <div key={email}>{t("customer.formerEmail", { email, at: localText(until, timeZone) })}</div>
            ))}
          </Fact>
        )}
        <Fact name="customer.password">{t(`customer.passwords.${passwordScope ?? "none"}`)}</Fact>
        <Fact name="customer.credit">
          {balances.length === 0 ? t("customer.noCredit") : balances.join(", ")}
        </Fact>
        <Fact name="customer.country">{customer.country === null ? "–" : countryText(customer.country)}</Fact>
        <Fact name="customer.language">{languageText(customer.locale)}</Fact>
        <Fact name="customer.currency">{customer.currency}</Fact>
        <Fact name="customer.number">{customer.id}</Fact>
      </dl>
    </section>
  )
}

const destroying: readonly CustomerAction[] = ["block-customer", "erase-customer"]

function Actions(props: CustomerScreenProps) {
  const { customer, actions, isElsewhere, newKey, seen, typed, proof, provenActions } = props
  return (
    <section className="card">
      <h2>{t("action.title")}</h2>
      {isElsewhere && <p>{t("customer.problems.elsewhere")}</p>}
      {actions.length === 0 && <p>{t("action.nothing")}</p>}
      {actions.map((action) => (
        <ActionForm
          key={action}
          action={action}
          target={targets[action]?.(customer.id)}
          name={t(`customer.action.${action}.name`)}
          now={nowText(action, props)}
          after={t(`customer.action.${action}.after`)}
          formKey={newKey()}
          seen={seen}
          refused={typed?.action === action ? typed : null}
          proof={provenActions.includes(action) ? proof : null}
          destroys={destroying.includes(action)}
        >
          <ActionFields action={action} customer={customer} typed={typed?.action === action ? typed : null} />
        </ActionForm>
      ))}
    </section>
  )
}

/** Actions whose answer is a file or another page. */
const targets: Partial<Record<CustomerAction, (id: string) => string>> = {
  "export-customer": (id) => `${customerHref(id)}/export`,
  "view-as-customer": (id) => `${customerHref(id)}/view`,
}

/** What the action changes, as it is. */
function nowText(action: CustomerAction, { customer }: CustomerScreenProps): string {
  const balances = customer.credit.filter(({ minor }) => minor !== 0).map(amountText)
  switch (action) {
    case "grant-credit":
      return balances.length === 0 ? t("customer.noCreditYet") : balances.join(", ")
    case "correct-email":
      return `${customer.email}, ${proofText(customer)}`
    case "block-customer":
    case "unblock-customer":
      return customer.blocks.map(blockName).join(", ") || t("customer.notBlocked")
    default:
      return [proofText(customer), ...balances].join(", ")
  }
}

type ActionFieldsProps = Pick<CustomerScreenProps, "customer" | "typed"> & { action: CustomerAction }

function ActionFields({ action, customer, typed }: ActionFieldsProps) {
  switch (action) {
    case "grant-credit":
      return <CreditFields customer={customer} typed={typed} />
    case "correct-email":
      return (
        <TextField
          id="email"
          name="email"
          label={t("customer.newEmail")}
          value={typed?.email}
          type="email"
          maxLength={254}
        />
      )
    case "block-customer":
      return (
        <Choice id="block" label={t("customer.whatToBlock")} chosen={typed?.target}>
          <option value="customer">{t("customer.thisCustomer")}</option>
          {customer.addresses.map((address) => (
            <option key={address} value={address}>
              {t("customer.addressOf", { address })}
            </option>
          ))}
        </Choice>
      )
    case "unblock-customer":
      return (
        <Choice id="unblock" label={t("customer.whichBlock")} chosen={typed?.target}>
          {customer.blocks.map((block) => (
            <option key={blockKey(block)} value={blockKey(block)}>
              {blockName(block)}
            </option>
          ))}
        </Choice>
      )
    case "erase-customer":
      return (
        <label className="check">
          <input type="checkbox" name="force" value="on" defaultChecked={typed?.force} />{" "}
          {t("customer.force")}
        </label>
      )
    default:
      return null
  }
}

function CreditFields({ customer, typed }: Pick<ActionFieldsProps, "customer" | "typed">) {
  return (
    <>
      <TextField
        id="amount"
        name="amount"
        label={t("customer.creditAmount")}
        value={typed?.amount}
        inputMode="decimal"
        maxLength={20}
      />
      <p className="field">
        <label htmlFor="currency">{t("customer.creditCurrency")}</label>
        <select id="currency" name="currency" defaultValue={typed?.currency ?? customer.currency}>
          {currencies.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </select>
      </p>
    </>
  )
}

type ChoiceProps = { id: string; label: string; chosen: string | undefined; children: ReactNode }

function Choice({ id, label, chosen, children }: ChoiceProps) {
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name="target" defaultValue={chosen}>
        {children}
      </select>
    </p>
  )
}

function blockName({ kind, value }: CustomerDetails["blocks"][number]): string {
  if (kind === "customer") return t("customer.thisCustomer")
  return kind === "address" ? t("customer.addressOf", { address: value }) : t("customer.network", { value })
}

function Blocks({ customer: { blocks }, timeZone }: CustomerScreenProps) {
  return (
    <section className="card">
      <h2>{t("customer.blocks")}</h2>
      {blocks.length === 0 && <p>{t("customer.noBlocks")}</p>}
      {blocks.length > 0 && (
        <ul className="rows">
          {blocks.map((block) => (
            <li key={blockKey(block)}>
              <div className="grow">
                <strong>{blockName(block)}</strong>
                {block.reason && <p className="note">{block.reason}</p>}
              </div>
              <time>{localText(block.at, timeZone)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function SignIns({ customer, timeZone }: CustomerScreenProps) {
  const { signIns, sessionsSince, signUpSessionsSince } = customer
  return (
    <section className="card">
      <h2>{t("customer.sessions")}</h2>
      <p>{t("customer.sessionsLead")}</p>
      {sessionsSince !== null && (
        <p>{t("customer.sessionsSince", { at: localText(sessionsSince, timeZone) })}</p>
      )}
      {signUpSessionsSince !== null && (
        <p>{t("customer.signUpSessionsSince", { at: localText(signUpSessionsSince, timeZone) })}</p>
      )}
      {signIns.length > 0 && (
        <ul className="rows">
          {signIns.map(({ createdAt, endedAt }) => (
            <li key={createdAt}>
              <div className="grow">
                <strong>{t("customer.signIn")}</strong>
                <p>
                  {endedAt === null
                    ? t("customer.signInOpen")
                    : t("customer.signInEnded", { at: localText(endedAt, timeZone) })}
                </p>
              </div>
              <time>{localText(createdAt, timeZone)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type HandedOutProps = Pick<CustomerScreenProps, "seen" | "newKey" | "proof" | "notice"> & {
  action: "export-customer" | "view-as-customer"
  customerId: string
  needsProof: boolean
  reason: string
}

/** The form of an export or a view that was refused. */
export function HandedOutScreen({ action, customerId, reason, notice, ...form }: HandedOutProps) {
  const name = t(`customer.action.${action}.name`)
  return (
    <>
      <p>
        <a href={customerHref(customerId)}>{t("view.back")}</a>
      </p>
      <h1>{name}</h1>
      <FormNotice notice={notice} />
      <section className="card">
        <form method="post" action={targets[action]?.(customerId)}>
          <FormKey value={form.newKey()} />
          <input type="hidden" name="seen" value={form.seen} />
          <ReasonField id="reason" value={reason} />
          {form.needsProof && (
            <ProofFields isProven={form.proof.isProven} problem={form.proof.problem} form={action} />
          )}
          <button className="button main" type="submit">
            {name}
          </button>
        </form>
      </section>
    </>
  )
}
