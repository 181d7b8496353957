import type { ReactNode, SubmitEvent } from "react"
import { Form } from "react-router"
import type { Plan } from "~/domain/catalogue/catalogue"
import type { Quote } from "~/domain/catalogue/pricing"
import type { AppliedPromotion } from "~/domain/catalogue/promotion"
import type { Currency } from "~/domain/money/money"
import type { Choices } from "~/domain/orders/choices"
import type { AppliedCredit } from "~/domain/payments/usable-credit"
import type { RefusedForm } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { ErrorSummary } from "../form/error-summary"
import type { GatewayOffer } from "../form/gateway-picker"
import { HoneypotField } from "../form/honeypot-field"
import type { FormField, FormProps } from "../form/use-checked-form"
import { useFormGuard } from "../form/use-form-guard"
import { useHydrated } from "../layout/use-hydrated"
import { Declarations, type LawShown, OrderSummary } from "./order-summary"
import { PayBar, PayButton } from "./pay-button"
import { type OwnCredit, useChoices } from "./use-choices"

/** An offer of plans with the visitor's choices, and what a refused form left. */
export type ShownOffer<P extends Plan> = {
  readonly plans: readonly P[]
  readonly gateways: readonly GatewayOffer[]
  readonly currency: Currency
  /** All currencies that may be chosen. */
  readonly currencies: readonly Currency[]
  /** The prices of the page, for a form that is sent without script. */
  readonly prices?: string
  /** See `OrderSummary`. */
  readonly assurance: string
  /** See `OrderSummary`. */
  readonly tax?: string | undefined
  /** What an order for this e-mail would use; absent for visitors who are not signed in, or have none. */
  readonly credit?: OwnCredit | undefined
  /** Words of the button for a total of nothing; absent where none can be. */
  readonly freeButton?: string
  /** Said of an order that the visitor has just cancelled, in place of the lead. */
  readonly cancelled?: string | null
  readonly choices: Choices
  /** The applied promotion, validated for the plan selected when the page was rendered. */
  readonly promotion: AppliedPromotion | null
  /** Why nothing can be ordered for the moment, in the visitor's language; null: ordering goes on. */
  readonly paused: string | null
  /** The answer to a refused form, or why a stored choice is no longer valid. */
  readonly lastResult: RefusedForm | null
  /** Typed values that are not valid choices. */
  readonly typed: { readonly email: string; readonly promoCode: string }
}

/** The fields of every order. */
export type OrderField = "plan" | "email" | "gateway" | "promoCode"

type OrderFormProps<P extends Plan> = {
  offer: ShownOffer<P>
  law?: LawShown
  checked: { fields: Record<OrderField, FormField>; formProps: FormProps }
  /** Idempotency key of the form; null if the session has the order's. */
  formKey: string | null
  heading: string
  lead: string
  notice: ReactNode
  /** The steps, by the selected plan. */
  children: (plan: P | undefined) => ReactNode
}

/**
 * The checkout on one page: one form with steps and summary that works without script; with script the quote updates while
 * choosing.
 */
export function OrderForm<P extends Plan>(props: OrderFormProps<P>) {
  const { offer, law, checked, formKey, heading, lead, notice, children } = props
  const { choices, promotion, paused, lastResult, typed, cancelled } = offer
  const { fields, formProps } = checked
  const errors = lastResult?.error
  const { t } = useTranslation()
  const given = { ...choices, email: typed.email }
  const { choiceProps, plan, price, codeError, credit } = useChoices({ ...offer, given })
  const { busy, blocked } = useFormGuard()
  const isPaused = paused !== null
  const words = isPaused ? t("checkout.paused") : (law?.orderButton ?? nothingDue(offer, price, credit))
  const pay = { busy, words, isPaused }
  const submit = (event: SubmitEvent<HTMLFormElement>) => blocked(event) || formProps.onSubmit(event)

  return (
    <Form
      method="post"
      className="checkout"
      preventScrollReset
      {...formProps}
      {...choiceProps}
      onSubmit={submit}
    >
      <HoneypotField lastResult={lastResult} />
      {formKey !== null && <input type="hidden" name="key" value={formKey} />}
      <ShownPrices quote={price} page={offer.prices} />
      <div className="steps">
        <h1>{heading}</h1>
        <Lead lead={lead} cancelled={cancelled} />
        {notice}
        {!lastResult?.leadsToField && <ErrorSummary formId={formProps.id} errors={errors} />}
        <PausedNotice reason={paused} />
        {children(plan)}
      </div>
      <OrderSummary
        plan={plan}
        quote={price}
        credit={credit}
        code={promotion?.code ?? null}
        typedCode={typed.promoCode}
        promoField={fields.promoCode}
        codeError={codeError}
        declarations={
          law?.declarations && (
            <Declarations words={law.declarations} formId={formProps.id} lastResult={lastResult} />
          )
        }
        payButton={<PayButton {...pay} />}
        assurance={offer.assurance}
        currency={offer.currency}
        currencies={offer.currencies}
        tax={offer.tax}
      />
      {price && <PayBar quote={price} credit={credit} {...pay} />}
    </Form>
  )
}

/** Who has just cancelled an order reads that instead of what the page is for. */
function Lead({ lead, cancelled }: { lead: string; cancelled: string | null | undefined }) {
  if (!cancelled) return <p className="lead">{lead}</p>
  return (
    <p className="notice" role="status">
      {cancelled}
    </p>
  )
}

/** Words of the button where nothing is left to pay. */
function nothingDue(
  { freeButton }: Pick<ShownOffer<Plan>, "freeButton">,
  price: Quote | null,
  credit: AppliedCredit | null,
) {
  return price?.total.minor === 0 ? freeButton : credit?.covered
}

/** Why nothing can be ordered, and a try to go on, which keeps what was typed. */
function PausedNotice({ reason }: { reason: string | null }) {
  const { t } = useTranslation()
  if (reason === null) return null
  return (
    <div className="warning" role="status">
      <p id="paused">{reason}</p>
      <button name="intent" value="update" formNoValidate>
        {t("error.retry")}
      </button>
    </div>
  )
}

type Prices = { quote: Quote | null | undefined; page: string | undefined }

/** What the buyer has seen: with script the total, without it the prices of the page. */
function ShownPrices({ quote, page }: Prices) {
  const total = useHydrated() && quote ? quote.total.minor + quote.total.currency : page
  return <input type="hidden" name="shown" value={total} />
}

/** Shows the quote of the selection without script. */
export function UpdateButton() {
  const { t } = useTranslation()
  return (
    <noscript>
      <button name="intent" value="update" formNoValidate>
        {t("checkout.update")}
      </button>
    </noscript>
  )
}
