import { Link } from "react-router"
import { RENEW } from "~/domain/screen-paths"
import { isStopped, type Service } from "~/domain/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { planName } from "../layout/plan-name"
import { PaidUntil } from "./paid-until"

export type ServiceListed = Pick<Service, "id" | "name" | "username" | "status" | "paidUntil"> & {
  /** Text of the link to its renewal; null if it cannot be renewed. */
  readonly renewal?: string | null
}

type Listed = { services: readonly ServiceListed[]; shown: string; timeZone: string }

/** The visitor's services; one is selected. */
export function ServiceList({ services, shown, timeZone }: Listed) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <nav className="card services" aria-labelledby="services">
      <h2 id="services">{t("success.services")}</h2>
      <ul>
        {services.map(({ id, name, username, status, paidUntil, renewal }) => (
          <li key={id}>
            <Link to={`?serviceid=${id}`} aria-current={id === shown ? "true" : undefined}>
              <strong>{planName(name, locale)}</strong>{" "}
              <small>
                {username} · {t(`success.status.${status}`)}
                {!isStopped({ status }) && paidUntil !== null && (
                  <>
                    {" · "}
                    <PaidUntil paidUntil={paidUntil} timeZone={timeZone} />
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
    </nav>
  )
}
