import { Form, Link } from "react-router"
import type { Plan } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import { localPath } from "~/domain/locales"
import type { AppliedPromotion } from "~/domain/promotion"
import { ownServicesPath } from "~/domain/screen-paths"
import type { Guarantee } from "~/domain/shop/brand"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { EmailField } from "../form/email-field"
import { ErrorSummary, type FieldErrors } from "../form/form-errors"
import { type GatewayOffer, GatewayPicker } from "../form/gateway-picker"
import { useFieldCheck } from "../form/use-field-check"
import { useFormGuard } from "../form/use-form-guard"
import { useHydrated } from "../layout/use-hydrated"
import { ExtrasPicker } from "./extras-picker"
import { OrderSummary } from "./order-summary"
import { OrderingPaused } from "./ordering-paused"
import { PayBar, PayButton } from "./pay-button"
import { PlanPicker } from "./plan-picker"
import { useChoices } from "./use-choices"

type Checkout = {
  plans: readonly Plan[]
  gateways: readonly GatewayOffer[]
  guarantee: Guarantee
  /** The visitor is signed in, or the session has bought a service. */
  ownsService: boolean
  choices: Choices
  /** The applied promotion, validated for the plan selected when the page was rendered. */
  promotion: AppliedPromotion | null
  /** Ordering is paused. */
  paused: boolean
  errors: FieldErrors
  /** Typed values that are not valid choices. */
  typed: { readonly email: string; readonly promoCode: string }
}

/** The checkout on one page: one form that works without script; with script the quote updates while choosing. */
export function CheckoutScreen(shown: Checkout) {
  const { plans, gateways, guarantee, ownsService, choices, promotion, paused, errors, typed } = shown
  const { t } = useTranslation()
  const { form, requestQuote, plan, price, codeError } = useChoices({ plans, promotion, given: choices })
  const check = useFieldCheck(errors)
  const { busy, guard } = useFormGuard(check.validateForm)
  const extras = hasExtras(plan) ? 1 : 0
  const scripted = useHydrated()

  return (
    <Form
      method="post"
      className="checkout"
      preventScrollReset
      ref={form}
      onChange={requestQuote}
      onSubmit={guard}
      // With script the page validates itself, in its own language.
      noValidate={scripted}
    >
      {/* The browser submits a form with its first button on Enter. */}
      <button className="hidden" name="intent" value="pay" tabIndex={-1} aria-hidden="true">
        {t("checkout.pay")}
      </button>
      {scripted && price && <input type="hidden" name="shown" value={price.total.minor} />}
      <div className="steps">
        <h1>{t("checkout.heading")}</h1>
        <p className="lead">{t("checkout.lead")}</p>
        {ownsService && <OwnServices />}
        <OrderingPaused paused={paused} errors={errors} />
        <ErrorSummary errors={errors} />
        <PlanPicker plans={plans} guarantee={guarantee} errors={errors} chosen={choices.plan} />
        <ExtrasPicker plan={plan} chosen={choices} />
        <noscript>
          <button name="intent" value="update" formNoValidate>
            {t("checkout.update")}
          </button>
        </noscript>
        <EmailField number={2 + extras} typed={typed.email} check={check} />
        <GatewayPicker
          gateways={gateways}
          errors={errors}
          number={3 + extras}
          chosen={choices.gateway}
          coin={choices.coin}
        />
      </div>
      <OrderSummary
        plan={plan}
        quote={price}
        code={promotion?.code ?? null}
        typedCode={typed.promoCode}
        errors={{ ...codeError, ...errors }}
        payButton={<PayButton busy={busy} />}
      />
      {price && <PayBar quote={price} busy={busy} />}
    </Form>
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

function hasExtras(plan: Plan | undefined): boolean {
  return Boolean(plan?.extraConnection ?? plan?.proxyProtection)
}
