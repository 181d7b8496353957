import { Link } from "react-router"
import type { Plan } from "~/domain/catalogue"
import { emailRule } from "~/domain/forms/field-rules"
import { localPath } from "~/domain/locales"
import { ownServicesPath } from "~/domain/screen-paths"
import type { Guarantee } from "~/domain/shop/brand"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { EmailField } from "../form/email-field"
import { GatewayPicker } from "../form/gateway-picker"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { ExtrasPicker, hasExtras } from "./extras-picker"
import { type OrderField, OrderForm, type ShownOffer, UpdateButton } from "./order-form"
import type { LawShown } from "./order-summary"
import { PlanPicker } from "./plan-picker"

type Checkout = ShownOffer<Plan> & {
  guarantee: Guarantee
  law?: LawShown
  /** The visitor is signed in, or the session has bought a service. */
  ownsService: boolean
}

const check = (typed: TypedText<OrderField>) => ({ email: emailRule(typed("email")) })

/** The checkout of plans: plan, extras, e-mail and gateway. */
export function CheckoutScreen(shown: Checkout) {
  const { plans, gateways, guarantee, ownsService, choices, typed, lastResult } = shown
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
      notice={ownsService && <OwnServices />}
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

/** Link to the services that the visitor has already. */
function OwnServices() {
  const { t } = useTranslation()
  return (
    <p className="own-services">
      {t("checkout.haveService")}{" "}
      <Link to={localPath(useLocale(), ownServicesPath)} reloadDocument>
        {t("frame.yourService")}
      </Link>
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
