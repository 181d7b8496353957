import { Form } from "react-router"
import { NOT_RENEWABLE, shownField } from "~/domain/forms/renewal-fields"
import { type Money, plus } from "~/domain/money/money"
import { REFUSED_TOP_UP } from "~/domain/orders/top-up"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { type AppliedCredit, appliedCredit, type UsableCredit } from "~/domain/payments/usable-credit"
import { type RefusedForm, resultFor } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Declarations, type LawShown } from "../checkout/order-summary"
import { CreditRows } from "../checkout/quote-lines"
import { FieldError } from "../form/field-error"
import { FoldedGatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { useCheckedForm } from "../form/use-checked-form"
import { useFormChoices } from "../form/use-form-choices"
import { moneyText } from "../layout/format"
import { useHydrated } from "../layout/use-hydrated"

/** A choice of the form, with its text. */
type Choice = { readonly text: string; readonly total: Money }

/** Place of the amount to pay in the words of the button. */
export const AMOUNT = "{amount}"

/** The renewal of a service: its choices and what else the page says, as texts in its language. */
export type RenewalView = {
  readonly serviceId: string
  readonly law: LawShown
  readonly heading: string
  /** Until when the shortest renewal leads, and its price: what the folded form shows. */
  readonly summary: string
  readonly isFolded: boolean
  /** The folded form is open, since the URL asks for it. */
  readonly isAsked: boolean
  /** What the buyer must know before paying. */
  readonly notes: readonly string[]
  /** Words of the button, with `AMOUNT` where the amount to pay stands. */
  readonly pay: string
  /** Empty: there is nothing to buy. */
  readonly choices: readonly (Choice & { readonly value: string })[]
  /** The form field of the choices: a number of cycles, or an invoice of an external billing system. */
  readonly field: "cycles" | "invoice"
  readonly value: string
  /** Other services that can be paid with it, a cycle each. */
  readonly also: readonly (Choice & { readonly serviceId: string; readonly isChosen: boolean })[]
  readonly alsoText: string
  /** Why the form was refused, if its services cannot be renewed like that. */
  readonly gone: string
  /** A lower price that is taken with one press. */
  readonly lower: { readonly text: string; readonly action: string; readonly price: number } | null
  readonly gateways: readonly GatewayOffer[]
  readonly gateway: GatewayId | null
  /** What the order will use; absent for visitors who are not signed in, or have none. */
  readonly credit?: UsableCredit | undefined
  /** Idempotency key of the form. */
  readonly key: string
  /** Renewal from account credit, by consent; null: there is none, or it is not this visitor's to decide on. */
  readonly balance: {
    readonly serviceId: string
    readonly intent: "balance-on" | "balance-off"
    readonly text: string
    readonly action: string
  } | null
  /** Account credit that can be bought; null: none. */
  readonly topUp: TopUpView | null
  /** Null: the visitor may only pay. */
  readonly decline: DeclineView | null
}

export type TopUpView = {
  readonly summary: string
  readonly note: string
  readonly legend: string
  /** Why the form was refused. */
  readonly refused: string
  readonly amounts: readonly { readonly minor: number; readonly text: string }[]
  /** Idempotency key of the form. */
  readonly key: string
}

/** "I do not want to renew", and taking it back. */
export type DeclineView =
  | { readonly isDeclined: true; readonly text: string; readonly undo: string }
  | {
      readonly isDeclined: false
      readonly summary: string
      readonly lead: string
      readonly reasonText: string
      readonly reasons: readonly { readonly value: string; readonly text: string }[]
      readonly confirm: string
    }

type Panel = { renewal: RenewalView; lastResult: RefusedForm | null | undefined }

/**
 * Renewal of a service: until when, the price, other services with it, the gateway. Folded until the end is near; whether it
 * renews by itself is never folded.
 */
export function RenewalPanel({ renewal, lastResult }: Panel) {
  const { heading, summary, isFolded, isAsked, balance, serviceId, decline } = renewal
  const isRefused = resultFor("renew", lastResult) != null
  const isRenewing = balance?.intent === "balance-off"
  return (
    <section className="renewal" id="renewal" aria-label={heading}>
      {isRenewing && (
        <>
          <Balance balance={balance} />
          <TopUp renewal={renewal} lastResult={lastResult} />
        </>
      )}
      {decline?.isDeclined && <Decline serviceId={serviceId} decline={decline} />}
      {isFolded ? (
        <details className="fold renew" open={isAsked || isRefused}>
          <summary>{summary}</summary>
          <Choices renewal={renewal} lastResult={lastResult} />
        </details>
      ) : (
        <>
          <h2>{heading}</h2>
          <Choices renewal={renewal} lastResult={lastResult} />
        </>
      )}
    </section>
  )
}

function Choices({ renewal, lastResult }: Panel) {
  const { notes, choices, lower, balance, serviceId, decline } = renewal
  return (
    <>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {lower && (
        <Form method="post" className="lower-price" preventScrollReset>
          <input type="hidden" name="serviceid" value={serviceId} />
          <input type="hidden" name="price" value={lower.price} />
          <p>{lower.text}</p>
          <button name="intent" value="lower-price">
            {lower.action}
          </button>
        </Form>
      )}
      {choices.length > 0 && <Order renewal={renewal} lastResult={lastResult} />}
      {balance?.intent !== "balance-off" && (
        <>
          {balance && <Balance balance={balance} />}
          <TopUp renewal={renewal} lastResult={lastResult} />
        </>
      )}
      {decline && !decline.isDeclined && <Decline serviceId={serviceId} decline={decline} />}
    </>
  )
}

/** Consent to renew from account credit, or its end, with one press. */
function Balance({ balance }: { balance: NonNullable<RenewalView["balance"]> }) {
  return (
    <Form method="post" className="decline" preventScrollReset>
      <input type="hidden" name="serviceid" value={balance.serviceId} />
      <p>{balance.text}</p>
      <button name="intent" value={balance.intent}>
        {balance.action}
      </button>
    </Form>
  )
}

/** Buys account credit: an amount and the gateway, folded. */
function TopUp({ renewal: { topUp, serviceId, gateways, gateway, law }, lastResult: answer }: Panel) {
  const { t } = useTranslation()
  const lastResult = resultFor("topup", answer)
  const { form, fields, formProps } = useCheckedForm<"gateway">({
    id: "topup",
    lastResult,
    check: () => ({}),
  })
  if (!topUp) return null
  return (
    <details className="decline fold" open={lastResult != null}>
      <summary>{topUp.summary}</summary>
      <Form method="post" reloadDocument {...formProps}>
        <input type="hidden" name="key" value={topUp.key} />
        <input type="hidden" name="serviceid" value={serviceId} />
        {form.errors?.includes(REFUSED_TOP_UP) ? (
          <p className="problem" role="alert">
            {topUp.refused}
          </p>
        ) : (
          <FieldError field={form} />
        )}
        <p>{topUp.note}</p>
        <fieldset className="bare">
          <legend className="field">{topUp.legend}</legend>
          {topUp.amounts.map(({ minor, text }, at) => (
            <label key={minor} className="choice method">
              <input type="radio" name="amount" value={minor} defaultChecked={at === 0} />
              <span className="gateway-text">
                <strong>{text}</strong>
              </span>
            </label>
          ))}
        </fieldset>
        <FoldedGatewayChoice gateways={gateways} chosen={gateway} field={fields.gateway} />
        <button className="main" name="intent" value="topup">
          {law.orderButton ?? t("checkout.pay")}
        </button>
      </Form>
    </details>
  )
}

function Order({ renewal, lastResult: answer }: Panel) {
  const { serviceId, choices, field, also, alsoText, key, gateways, gateway, law } = renewal
  const lastResult = resultFor("renew", answer)
  const { form, fields, formProps } = useCheckedForm<"gateway">({
    id: "renew",
    lastResult,
    check: () => ({}),
  })
  const others = also.filter(({ isChosen }) => isChosen).map((it) => it.serviceId)
  const { choices: current, choiceProps } = useFormChoices({ value: renewal.value, others }, (sent) =>
    renewalIn(sent, field),
  )
  const chosen = choices.find((it) => it.value === current.value) ?? choices[0]
  if (!chosen) return null
  const total = also
    .filter((it) => current.others.includes(it.serviceId))
    .map((it) => it.total)
    .reduce(plus, chosen.total)
  const credit = appliedCredit(renewal.credit, total)
  return (
    // A full document navigation, since the gateway is another site.
    <Form method="post" reloadDocument {...formProps} {...choiceProps}>
      <input type="hidden" name="key" value={key} />
      <input type="hidden" name="serviceid" value={serviceId} />
      {form.errors?.includes(NOT_RENEWABLE) ? (
        <p className="problem" role="alert">
          {renewal.gone}
        </p>
      ) : (
        <FieldError field={form} />
      )}
      {choices.length > 1 ? <Lengths renewal={renewal} /> : <OnlyLength renewal={renewal} only={chosen} />}
      {also.length > 0 && (
        <fieldset className="bare">
          <legend className="field">{alsoText}</legend>
          {also.map((it) => (
            <label key={it.serviceId} className="choice method">
              <input type="checkbox" name="also" value={it.serviceId} defaultChecked={it.isChosen} />
              <input type="hidden" name={shownField(it.serviceId, 1)} value={it.total.minor} />
              <Offered {...it} />
            </label>
          ))}
        </fieldset>
      )}
      <Total total={total} credit={credit} />
      <FoldedGatewayChoice gateways={gateways} chosen={gateway} field={fields.gateway} />
      {law.declarations && <Declarations words={law.declarations} formId="renew" lastResult={lastResult} />}
      <button className="main" name="intent" value="renew">
        {law.orderButton ?? credit?.covered ?? <PayText renewal={renewal} due={credit?.left ?? total} />}
      </button>
    </Form>
  )
}

/** What the button buys, and for how much; without script only where nothing is left to choose, which may change the amount. */
function PayText({ renewal: { pay, choices, also }, due }: Pick<Panel, "renewal"> & { due: Money }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const isCurrent = useHydrated() || choices.length + also.length === 1
  return isCurrent ? pay.replace(AMOUNT, () => moneyText(due, locale)) : t("checkout.pay")
}

function Lengths({ renewal }: Pick<Panel, "renewal">) {
  const { serviceId, choices, field, value, heading } = renewal
  return (
    <fieldset className="bare">
      <legend className="hidden">{heading}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="choice method">
          <input type="radio" name={field} value={choice.value} defaultChecked={choice.value === value} />
          <input type="hidden" name={shownField(serviceId, choice.value)} value={choice.total.minor} />
          <Offered {...choice} />
        </label>
      ))}
    </fieldset>
  )
}

type Only = Pick<Panel, "renewal"> & { only: RenewalView["choices"][number] }

/** A single length needs no choosing, and the summary of the folded form names it. */
function OnlyLength({ renewal: { serviceId, field, isFolded }, only }: Only) {
  return (
    <>
      <input type="hidden" name={field} value={only.value} />
      <input type="hidden" name={shownField(serviceId, only.value)} value={only.total.minor} />
      {!isFolded && <strong>{only.text}</strong>}
    </>
  )
}

function renewalIn(form: FormData, field: RenewalView["field"]) {
  return { value: String(form.get(field)), others: form.getAll("also").map(String) }
}

function Offered({ text, total }: Choice) {
  const locale = useLocale()
  return (
    <span className="gateway-text">
      <strong>{text}</strong> <small>{moneyText(total, locale)}</small>
    </span>
  )
}

function Total({ total, credit }: { total: Money; credit: AppliedCredit | null }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="total">
        <span>{t("checkout.total")}</span> <output aria-live="polite">{moneyText(total, locale)}</output>
      </p>
      <CreditRows credit={credit} />
      {/* In `noscript`: removing the button at hydration would shift the layout. */}
      <noscript>
        <button name="intent" value="renew-update" formNoValidate>
          {t("checkout.update")}
        </button>
      </noscript>
    </>
  )
}

function Decline({ serviceId, decline }: { serviceId: string; decline: DeclineView }) {
  if (decline.isDeclined) {
    return (
      <Form method="post" className="decline" preventScrollReset>
        <input type="hidden" name="serviceid" value={serviceId} />
        <p>{decline.text}</p>
        <button name="intent" value="undecline">
          {decline.undo}
        </button>
      </Form>
    )
  }
  return (
    <details className="decline fold">
      <summary>{decline.summary}</summary>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="serviceid" value={serviceId} />
        <p>{decline.lead}</p>
        <label className="field" htmlFor="decline-reason">
          {decline.reasonText}
        </label>
        <select id="decline-reason" name="reason">
          {decline.reasons.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <button name="intent" value="decline">
          {decline.confirm}
        </button>
      </Form>
    </details>
  )
}
