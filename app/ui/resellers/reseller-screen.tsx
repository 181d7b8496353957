import { Form } from "react-router"
import type { ResellerPlan } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import type { AppliedPromotion } from "~/domain/promotion"
import { useTranslation } from "~/i18n/use-translation"
import { OrderSummary } from "../checkout/order-summary"
import { OrderingPaused } from "../checkout/ordering-paused"
import { PayBar, PayButton } from "../checkout/pay-button"
import { useChoices } from "../checkout/use-choices"
import { ErrorSummary, type FieldErrors } from "../form/form-errors"
import { type GatewayOffer, GatewayPicker } from "../form/gateway-picker"
import { RetryAfterNotice } from "../form/retry-after-notice"
import { useFieldCheck } from "../form/use-field-check"
import { useFormGuard } from "../form/use-form-guard"
import { useHydrated } from "../layout/use-hydrated"
import { accountErrors } from "./account-errors"
import { ResellerAccountStep } from "./reseller-account"
import { ResellerPlanPicker } from "./reseller-plan-picker"

type Reseller = {
  plans: readonly ResellerPlan[]
  gateways: readonly GatewayOffer[]
  choices: Choices
  promotion: AppliedPromotion | null
  /** Ordering is paused. */
  paused: boolean
  errors: FieldErrors
  typed: { readonly email: string; readonly promoCode: string }
  /** E-mail of the signed-in customer. */
  signedInEmail: string | null
  /** The visitor has a reseller account to go to. */
  isReseller: boolean
  /** The visitor selected "I have an account". */
  existing: boolean
  /** Idempotency key of the form. */
  formKey: string
  /** Seconds to wait after too many attempts; 0: none. */
  wait: number
}

/** Reseller checkout on one page: plans, account and gateway. Works without script. */
export function ResellerScreen(shown: Reseller) {
  const { plans, gateways, choices, promotion, paused, errors } = shown
  const { typed, signedInEmail, isReseller, existing, formKey, wait } = shown
  const { t } = useTranslation()
  const { form, requestQuote, plan, price, codeError } = useChoices({ plans, promotion, given: choices })
  const check = useFieldCheck(errors, accountErrors)
  const { busy, guard } = useFormGuard(check.validateForm)
  const scripted = useHydrated()

  return (
    <Form
      method="post"
      className="checkout"
      preventScrollReset
      ref={form}
      onChange={requestQuote}
      onSubmit={guard}
      noValidate={scripted}
    >
      {/* The browser submits a form with its first button on Enter. */}
      <button className="hidden" name="intent" value="pay" tabIndex={-1} aria-hidden="true">
        {t("checkout.pay")}
      </button>
      <input type="hidden" name="key" value={formKey} />
      {scripted && price && <input type="hidden" name="shown" value={price.total.minor} />}
      <div className="steps">
        <h1>{t("resellers.heading")}</h1>
        <p className="lead">{t("resellers.lead")}</p>
        <RetryAfterNotice seconds={wait} />
        <OrderingPaused paused={paused} errors={errors} />
        <ErrorSummary errors={errors} />
        <ResellerPlanPicker plans={plans} errors={errors} chosen={choices.plan} />
        <ResellerAccountStep
          signedInEmail={signedInEmail}
          isReseller={isReseller}
          existing={existing}
          check={check}
          email={typed.email}
        />
        <GatewayPicker
          gateways={gateways}
          errors={errors}
          number={3}
          chosen={choices.gateway}
          coin={choices.coin}
        />
        <noscript>
          <button name="intent" value="update" formNoValidate>
            {t("checkout.update")}
          </button>
        </noscript>
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

/** No reseller plans, or the catalogue is unavailable. */
export function NoResellerPlans() {
  const { t } = useTranslation()
  return (
    <section className="card narrow">
      <h1>{t("resellers.heading")}</h1>
      <p className="lead">{t("resellers.none")}</p>
    </section>
  )
}
