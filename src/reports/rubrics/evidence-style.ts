/** Quotes are told apart by line and label as well as by colour. */
export const EVIDENCE_STYLE = `
.answer{white-space:pre-wrap;background:var(--panel);border:1px solid var(--faint);border-radius:6px;padding:12px 14px;margin:6px 0 14px;overflow-wrap:anywhere}
.answer mark{color:inherit;border-radius:2px;padding:1px 0}
mark.for{background:rgba(var(--hit),.18);border-bottom:2px solid rgb(var(--hit))}
mark.against{background:rgba(var(--miss),.2);border-bottom:2px dashed rgb(var(--miss))}
mark.open{background:rgba(var(--aside),.18);border-bottom:2px dotted rgb(var(--aside))}
mark.several{outline:1px solid var(--muted)}
.label{font-size:.75em;font-weight:600;color:var(--muted);margin:0 2px;white-space:nowrap}
.evidence{border-top:1px solid var(--faint);padding:8px 0}
.evidence summary{font-size:.9375rem}
q{quotes:"“" "”"}
`;
