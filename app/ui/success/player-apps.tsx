import type { PlayerLink } from "~/domain/shop/shop-links"
import { useTranslation } from "~/i18n/use-translation"

/** Player apps for this device, with links to open the playlist and to the store. */
export function PlayerApps({ apps }: { apps: readonly PlayerLink[] }) {
  const { t } = useTranslation()
  if (apps.length === 0) return null
  return (
    <div className="players">
      <h3>{t("success.players")}</h3>
      <ul>
        {apps.map(({ name, open, store }) => (
          <li key={`${name} ${store}`}>
            {open && (
              <a className="button" href={open}>
                {t("success.openIn", { app: name })}
              </a>
            )}
            <a className={open ? "quiet" : "button"} href={store} rel="noreferrer" target="_blank">
              {t("success.store", { app: name })}
            </a>
          </li>
        ))}
      </ul>
      <p className="note">{t("success.byHand")}</p>
    </div>
  )
}
