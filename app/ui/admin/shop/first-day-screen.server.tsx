import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"
import { CheckIcon } from "~/ui/layout/icons"
import { consoleHref } from "../console-frame.server"
import { Findings } from "../list-parts.server"

type Step = "gateway" | "secrets" | "callback" | "payment" | "panel" | "mail" | "alerts" | "backup"

type FirstDayProps = {
  steps: readonly { readonly step: Step; readonly done: boolean }[]
  missing: readonly GatewayId[]
  lastBackup: Instant | null
  findings: readonly Diagnostic[]
  timeZone: string
}

/** What a new shop needs, each with what to do while it is missing. */
export function FirstDayScreen({ steps, missing, lastBackup, findings, timeZone }: FirstDayProps) {
  const left = steps.filter(({ done }) => !done).length
  const gaps = {
    missing: missing.join(", "),
    backup: lastBackup === null ? t("firstDay.never") : localText(lastBackup, timeZone),
  }
  return (
    <>
      <div className="title">
        <h1>{t("firstDay.title")}</h1>
        <p>{left === 0 ? t("firstDay.allDone") : t("firstDay.left", { count: left })}</p>
      </div>
      <section className="card">
        <ul className="rows">
          {steps.map(({ step, done }) => (
            <li key={step}>
              <div className="grow">
                <strong>{t(`firstDay.steps.${step}`)}</strong>
                <p>{done ? t(`firstDay.done.${step}`, gaps) : t(`firstDay.todo.${step}`, gaps)}</p>
              </div>
              <span className={done ? "pill good" : "pill warning"}>
                {done && <CheckIcon />}
                {t(done ? "firstDay.isDone" : "firstDay.isMissing")}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>{t("firstDay.findings")}</h2>
        <Findings findings={findings} />
        <p>
          <a href={consoleHref("/admin/gateways")}>{t("firstDay.gateways")}</a>
        </p>
        <p>{t("firstDay.doctor")}</p>
      </section>
    </>
  )
}
