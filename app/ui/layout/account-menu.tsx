import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** `path`: the page's, without its language. */
type Account = { email: string | null; path: string }

/** Signing in or out, from any page: a whole document either way, since the head of the page changes with it. */
export function AccountMenu({ email, path }: Account) {
  const { t } = useTranslation()
  const page = `${BASE}${localPath(useLocale(), path)}`
  if (email === null) {
    return (
      <a className="button account" href={`${page}?signin`}>
        {t("frame.signIn")}
      </a>
    )
  }
  return (
    <form className="account" method="post" action={`${page}?signout`}>
      <span className="account-email" aria-hidden="true">
        {email}
      </span>
      <button>
        {t("frame.signOut")}
        <span className="hidden"> {email}</span>
      </button>
    </form>
  )
}

/** For who has not signed in, and has something of his own in this browser all the same. */
export function ForgetDevice({ path }: Pick<Account, "path">) {
  const { t } = useTranslation()
  const page = `${BASE}${localPath(useLocale(), path)}`
  return (
    <a className="quiet" href={`${page}?forget`}>
      {t("frame.forget")}
    </a>
  )
}
