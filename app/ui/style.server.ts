import { fontFaces } from "./fonts.server"
import account from "./style/account.css?inline"
import controls from "./style/controls.css?inline"
import frame from "./style/frame.css?inline"
import screens from "./style/screens.css?inline"
import service from "./style/service.css?inline"
import tokens from "./style/tokens.css?inline"

/** The whole style sheet, written into each page: a second request would be half of a phone's wait. */
export const style = `${fontFaces}${tokens}${frame}${controls}${screens}${account}${service}`
