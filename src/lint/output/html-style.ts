/** Light and dark themes, without network resources. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6675; --line: #d9dee5; --page: #f6f7f9; --card: #fff;
  --error: #b42318; --warning: #96590a; --info: #2158a8; --good: #1a7f4b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa5b4; --line: #313947; --page: #14181f; --card: #1c222c;
  --error: #ff8a7d; --warning: #f2b457; --info: #84b4ff; --good: #5fd39a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: auto; padding: 1.5rem; }
header { display: flex; gap: 1.5rem; align-items: center; }
h1 { font-size: 1.4rem; margin: 0; } header p { margin: 0; color: var(--soft); }
.score { width: 6.5rem; height: 6.5rem; border-radius: 50%; border: .5rem solid; display: flex; flex-direction: column;
  align-items: center; justify-content: center; line-height: 1.1; flex: none; }
.score strong { font-size: 2rem; } .score span { font-size: .75rem; color: var(--soft); }
.score.good { border-color: var(--good); } .score.fair { border-color: var(--warning); } .score.poor { border-color: var(--error); }
h2 { font-size: 1rem; text-transform: capitalize; margin: 1.75rem 0 .5rem; } h2 small { color: var(--soft); font-weight: normal; }
.urgent { background: var(--card); border: 1px solid var(--line); border-left: .3rem solid var(--error); border-radius: .5rem; padding: .25rem 1.25rem; }
.urgent h2 { margin-top: .75rem; text-transform: none; } .urgent li { margin: .6rem 0; } small { color: var(--soft); }
b.error { color: var(--error); } b.warning { color: var(--warning); }
details { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: .4rem 0; padding: .5rem .9rem; }
summary { cursor: pointer; display: flex; gap: .75rem; align-items: baseline; }
summary .message { flex: 1; overflow-wrap: anywhere; } summary code { color: var(--soft); }
.tag { font-size: .75rem; min-width: 4.2em; text-align: center; border: 1px solid; border-radius: 1rem; padding: 0 .55rem; flex: none; }
.tag.error { color: var(--error); } .tag.warning { color: var(--warning); } .tag.info { color: var(--info); }
.place { color: var(--soft); margin: .5rem 0 0; } pre { background: var(--page); padding: .75rem; border-radius: .4rem; overflow: auto; }
a { color: var(--info); } .clean { color: var(--good); font-size: 1.1rem; }
`;
