import { Form } from "react-router"
import { useTranslation } from "~/locales/use-translation"
import { GatewayChoice, type GatewayOffer } from "./gateway-picker"
import type { Problems } from "./problems"
import { QuestionCard } from "./question-card"
import { BackLink } from "./waiting-question"
import type { GatewayProblem } from "./waiting-side"

type Change = {
  others: readonly GatewayOffer[]
  /** Where the payment that is open now is made. */
  host: string
  problem: GatewayProblem | null
}

/** Another way to pay the same order. The first one is not undone: what is paid there counts. */
export function WaitingGateway({ others, host, problem }: Change) {
  const { t } = useTranslation()
  const [only, ...more] = others
  const problems: Problems = problem === "choose" ? { gateway: ["checkout.gateway.required"] } : {}
  return (
    <QuestionCard heading={t("waiting.gateway.heading")}>
      {problem === "not-opened" && (
        <div className="problems" role="alert">
          <p>{t("waiting.gateway.notOpened", { host })}</p>
        </div>
      )}
      {/* The gateway is another site: there the browser goes by itself. */}
      <Form method="post" reloadDocument>
        <GatewayChoice
          gateways={others}
          chosen={more.length === 0 ? (only?.id ?? null) : null}
          problems={problems}
        />
        <button className="main" name="intent" value="gateway">
          {t("checkout.pay")}
        </button>
      </Form>
      <p className="note">{t("waiting.gateway.note", { host })}</p>
      <BackLink text={t("waiting.back")} />
    </QuestionCard>
  )
}
