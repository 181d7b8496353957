import { useState } from "react"
import { Form } from "react-router"
import { type RefusedForm, resultFor } from "~/domain/forms/refused-form"
import type { GatewayId } from "~/domain/gateway-id"
import { type Money, plus } from "~/domain/money"
import { NOT_RENEWABLE, shownField } from "~/domain/service-renewal-field"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { GatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { useCheckedForm } from "../form/use-checked-form"
import { moneyText } from "../layout/format"

/** A choice of the form, with its text. */
type Choice = { readonly text: string; readonly total: Money }

/** The renewal of a service: its choices and what else the page says, as texts in its language. */
export type RenewalView = {
  readonly serviceId: string
  readonly heading: string
  /** What the buyer must know before paying. */
  readonly notes: readonly string[]
  /** Empty: there is nothing to buy. */
  readonly choices: readonly (Choice & { readonly cycles: number })[]
  readonly cycles: number
  /** Other services that can be paid with it, a cycle each. */
  readonly also: readonly (Choice & { readonly serviceId: string; readonly isChosen: boolean })[]
  readonly alsoText: string
  /** Why the form was refused, if its services cannot be renewed like that. */
  readonly gone: string
  /** A lower price that is taken with one press. */
  readonly lower: { readonly text: string; readonly action: string; readonly price: number } | null
  readonly gateways: readonly GatewayOffer[]
  readonly gateway: GatewayId | null
  /** Idempotency key of the form. */
  readonly key: string
  /** Renewal from account credit, by consent; null: the credit is not this visitor's to decide on. */
  readonly balance: {
    readonly serviceId: string
    readonly intent: "balance-on" | "balance-off"
    readonly text: string
    readonly action: string
  } | null
  readonly decline: DeclineView
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

/** Renewal of a service: until when, the price, other services with it, the gateway. */
export function RenewalPanel({ renewal, lastResult }: Panel) {
  const { heading, notes, choices, lower, balance, serviceId, decline } = renewal
  return (
    <section className="card renewal" id="renewal" aria-labelledby="renewal-heading">
      <h2 id="renewal-heading">{heading}</h2>
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
      {balance && (
        <Form method="post" className="decline" preventScrollReset>
          <input type="hidden" name="serviceid" value={balance.serviceId} />
          <p>{balance.text}</p>
          <button name="intent" value={balance.intent}>
            {balance.action}
          </button>
        </Form>
      )}
      <Decline serviceId={serviceId} decline={decline} />
    </section>
  )
}

function Order({ renewal, lastResult: answer }: Panel) {
  const { t } = useTranslation()
  const { serviceId, choices, also, alsoText, key, gateways, gateway, heading } = renewal
  const lastResult = resultFor("renew", answer)
  const { form, fields, formProps } = useCheckedForm<"gateway">({
    id: "renew",
    lastResult,
    check: () => ({}),
  })
  const [cycles, choose] = useState(renewal.cycles)
  const [others, setOthers] = useState(also.filter(({ isChosen }) => isChosen).map((it) => it.serviceId))
  const chosen = choices.find((it) => it.cycles === cycles) ?? choices[0]
  if (!chosen) return null
  const total = also
    .filter((it) => others.includes(it.serviceId))
    .map((it) => it.total)
    .reduce(plus, chosen.total)
  return (
    // A full document navigation, since the gateway is another site.
    <Form method="post" reloadDocument {...formProps}>
      <input type="hidden" name="key" value={key} />
      <input type="hidden" name="serviceid" value={serviceId} />
      {form.errors?.includes(NOT_RENEWABLE) ? (
        <p className="problem" role="alert">
          {renewal.gone}
        </p>
      ) : (
        <FieldError field={form} />
      )}
      <fieldset className="bare">
        <legend className="hidden">{heading}</legend>
        {choices.map((choice) => (
          <label key={choice.cycles} className="choice method">
            <input
              type="radio"
              name="cycles"
              value={choice.cycles}
              defaultChecked={choice.cycles === cycles}
              onChange={() => choose(choice.cycles)}
            />
            <input type="hidden" name={shownField(serviceId, choice.cycles)} value={choice.total.minor} />
            <Offered {...choice} />
          </label>
        ))}
      </fieldset>
      {also.length > 0 && (
        <fieldset className="bare">
          <legend className="field">{alsoText}</legend>
          {also.map((it) => (
            <label key={it.serviceId} className="choice method">
              <input
                type="checkbox"
                name="also"
                value={it.serviceId}
                defaultChecked={it.isChosen}
                onChange={({ currentTarget: { checked } }) =>
                  setOthers((ids) =>
                    checked ? [...ids, it.serviceId] : ids.filter((id) => id !== it.serviceId),
                  )
                }
              />
              <input type="hidden" name={shownField(it.serviceId, 1)} value={it.total.minor} />
              <Offered {...it} />
            </label>
          ))}
        </fieldset>
      )}
      <Total total={total} />
      <GatewayChoice gateways={gateways} chosen={gateway} field={fields.gateway} />
      <button className="main" name="intent" value="renew">
        {t("checkout.pay")}
      </button>
    </Form>
  )
}

function Offered({ text, total }: Choice) {
  const locale = useLocale()
  return (
    <span className="gateway-text">
      <strong>{text}</strong> <small>{moneyText(total, locale)}</small>
    </span>
  )
}

function Total({ total }: { total: Money }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="total">
        <span>{t("checkout.total")}</span> <output aria-live="polite">{moneyText(total, locale)}</output>
      </p>
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
