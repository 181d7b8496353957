import type { Plan } from "~/domain/catalogue/catalogue"
import { emailRule } from "~/domain/forms/field-rules"
import type { Guarantee } from "~/domain/shop/brand"
import { useTranslation } from "~/i18n/use-translation"
import { GatewayPicker } from "../form/gateway-picker"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { EmailField } from "./email-field"
import { ExtrasPicker, hasExtras } from "./extras-picker"
import { type OrderField, OrderForm, type ShownOffer, UpdateButton } from "./order-form"
import type { LawShown } from "./order-summary"
import { PlanPicker } from "./plan-picker"

/** A question with a link, in the visitor's language. */
export type Notice = { readonly text: string; readonly label: string; readonly href: string }

type Checkout = ShownOffer<Plan> & {
  guarantee: Guarantee
  law?: LawShown
  /** What leads elsewhere: the free trial, the services that the visitor has already. */
  notices: readonly Notice[]
}

const check = (typed: TypedText<OrderField>) => ({ email: emailRule(typed("email")) })

/** The checkout of plans: plan, extras, e-mail and gateway. */
export function CheckoutScreen(shown: Checkout) {
  const { plans, gateways, guarantee, notices, choices, typed, lastResult } = shown
  const { t } = useTranslation()
  const checked = useCheckedForm({ id: "order", lastResult, check })
  const { fields } = checked
  return (
    <OrderForm
      offer={shown}
      law={shown.law}
      checked={checked}
      formKey={null}
      heading={t("checkout.heading")}
      lead={t("checkout.lead")}
      notice={notices.map(noticeLine)}
    >
      {(plan) => (
        <>
          <PlanPicker plans={plans} guarantee={guarantee} field={fields.plan} chosen={choices.plan} />
          <ExtrasPicker plan={plan} chosen={choices} />
          <UpdateButton />
          <EmailField number={hasExtras(plan) ? 3 : 2} field={fields.email} typed={typed.email} />
          <GatewayPicker
            gateways={gateways}
            field={fields.gateway}
            number={hasExtras(plan) ? 4 : 3}
            chosen={choices.gateway}
            coin={choices.coin}
          />
        </>
      )}
    </OrderForm>
  )
}

function noticeLine({ text, label, href }: Notice) {
  return (
    <p key={href} className="own-services">
      {text} <a href={href}>{label}</a>
    </p>
  )
}

/** The catalogue is empty or unavailable. */
export function EmptyCatalogue() {
  const { t } = useTranslation()
  return (
    <section className="card narrow">
      <h1>{t("nothing.heading")}</h1>
      <p className="lead">{t("nothing.lead")}</p>
      {/* biome-ignore lint/a11y/useValidAnchor: an empty address is the page's own, with its query */}
      <a className="main button" href="">
        {t("error.retry")}
      </a>
    </section>
  )
}
