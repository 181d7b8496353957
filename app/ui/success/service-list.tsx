import type { ReactNode } from "react"
import { Link } from "react-router"
import { RENEW } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { planName } from "../layout/plan-name"
import type { ServiceHeadView } from "./service-head"

export type ServiceListed = Pick<Service, "id" | "name" | "status"> & {
  /** What tells it from others of the same plan. */
  readonly label: string
  /** Null for a stopped service too. */
  readonly until: ServiceHeadView["until"]
  /** Text of the link to its renewal; null if it cannot be renewed. */
  readonly renewal?: string | null
}

type Listed = { services: readonly ServiceListed[]; shown: string; children?: ReactNode }

/** The visitor's services; one is selected. Its children are about all of them. */
export function ServiceList({ services, shown, children }: Listed) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <nav className="card services" aria-labelledby="services">
      <h2 id="services">{t("success.services")}</h2>
      <ul>
        {services.map(({ id, name, label, status, until, renewal }) => (
          <li key={id}>
            <Link to={`?serviceid=${id}`} aria-current={id === shown ? "true" : undefined}>
              <strong>{planName(name, locale)}</strong>{" "}
              <small>
                {label} · {t(`success.status.${status}`)}
                {until && (
                  <>
                    {" "}
                    <time dateTime={until.at}>{until.text}</time>
                  </>
                )}
              </small>
            </Link>
            {renewal && (
              <Link className="quiet" to={`?serviceid=${id}&${RENEW}#renewal`}>
                {renewal}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {children}
    </nav>
  )
}
