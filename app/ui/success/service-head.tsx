import type { ReactNode } from "react"
import type { ShownService } from "~/domain/services/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { CheckIcon, ClockIcon } from "../layout/icons"
import { planName } from "../layout/plan-name"

/** What the top of the service page says, as texts in its language. */
export type ServiceHeadView = {
  /** The first look at a service just bought: the payment is confirmed once, by a tick. */
  readonly isFirst: boolean
  /** Null: what a purchase says first. */
  readonly heading: string | null
  readonly pill: { readonly tone: "good" | "near" | "plain"; readonly text: string }
  /** Until when it runs, or when it ended; null without an end. */
  readonly until: { readonly text: string; readonly at: string } | null
  readonly notes: readonly string[]
  /** Whether it renews. */
  readonly renews: string | null
}

type Head = {
  head: ServiceHeadView
  heading: string
  /** The order just paid. */
  paid: string | null | false
  service: ShownService
  children: ReactNode
}

/** Top of the service page: status, until when it runs, plan and connections. Its children are the renewal. */
export function ServiceHead({ head, heading, paid, service, children }: Head) {
  const { pill, isFirst, notes, renews } = head
  return (
    <section className="card place">
      <header className={isFirst ? "done" : "place-head"} aria-live="polite">
        {isFirst && <CheckIcon />}
        <h1>{heading}</h1>
        {!isFirst && (
          <span className={`pill ${pill.tone}`}>
            {pill.tone === "good" ? <CheckIcon /> : <ClockIcon />}
            {pill.text}
          </span>
        )}
      </header>
      <Facts until={head.until} paid={paid} service={service} />
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {renews && <p className="note">{renews}</p>}
      {children}
    </section>
  )
}

type ShownFacts = Pick<Head, "paid" | "service"> & Pick<ServiceHeadView, "until">

function Facts({ until, paid, service }: ShownFacts) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      {until && (
        <p className="until">
          <time dateTime={until.at}>{until.text}</time>
        </p>
      )}
      {paid && <p className="lead">{paid}</p>}
      <p className="lead">
        {planName(service.name, locale)} · {t("success.connections", { count: service.connections })}
      </p>
    </>
  )
}
