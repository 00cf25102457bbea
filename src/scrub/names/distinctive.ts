/** Nobody's names: accounts of systems, images and tutorials, and the replacements of this program. */
const NOBODY: ReadonlySet<string> = new Set(
  `user users username usr root admin administrator runner runneradmin ubuntu debian fedora centos alpine arch node nodejs python
  ruby go golang rust java php deno bun app apps application service services server web www www-data http nginx apache
  postgres postgresql mysql mariadb redis mongo mongodb rabbitmq elastic elasticsearch kafka zookeeper grafana prometheus jenkins
  gitlab gitlab-runner github actions action circleci travis buildkite vscode codespace codespaces gitpod coder sandbox agent
  agents claude codex copilot gemini openhands opencode cursor cline aider hermes dev developer developers devuser test tests tester
  testuser guest demo example examples default shared public private nobody daemon bin sys sync mail ftp git svn hg vagrant docker
  podman kube kubernetes k8s pi raspberry steam linuxbrew homebrew brew nix nixbld conda anaconda jovyan airflow spark hadoop hdfs
  oracle sa system local localhost host home me my you your yourname your-name your_name name someone somebody anyone person alice bob
  foo bar baz qux john.doe jane.doe johndoe janedoe xxx project projects work workspace workspaces code src source data tmp temp
  build builder deploy deployer deployment ci cd cicd bot robot worker workers scheduler backup monitor monitoring ec2-user azureuser
  opc core cloud-user adminuser appuser wheel everyone dialout sudo adm none contributor contributors author maintainer owner team staff group all public.user defaultuser
  defaultuser0 default.user all.users session sessions index page pages details detail about profile settings dashboard login logout help
  account accounts search feed news id me.json self current new edit list`.split(/\s+/),
);

/** Words that are also names, and technical words: replaced in a path, but not everywhere. */
const COMMON: ReadonlySet<string> = new Set(
  `able about above access adam add address after again alert alias allow alpha also always amber amend angel anchor angular ansible
  apple april argo array arrow astro async atlas atom august aurora autumn azure babel back badge baker base bash basil batch bean bear
  beta bill bird black blake block blog blue board body bolt book boot boss both brad branch brave bridge brook brown buck bucket bug
  build bundle byte cache call camel camp canary card carl carter case cash cell chain chance change chart chase chat check cheer
  chip chrome city class clay clean clear client cliff clip clock clone close cloud code coin cold collin color commit common config
  connect console content context control cook cookie cooper copy coral count cover crash create cron cross crystal css curl custom
  cyan daily daisy dale dark dart dash data date dave dawn dean debug deep delta dense depth derby desk diff dirk disk docs dock done
  down draft drake draw drew drive drop dusk dust duty earl early east easy echo edge edit elixir else ember email empty engine entry
  error eslint even event ever example exec exit expo export express extra face fact fail faith falcon fall false fast fern fetch field
  file fill filter final find fire first fish flag flash flask fleet flow flux focus fold font force ford forest fork form format
  forward foundry frame frank free fresh front frost full func fuse future game garden gate gene general ghost ginger give glen glide
  global gold good grace gradle grafana grand grant graph gray green grep grid group grow guard guide hack half hand happy harbor hard
  harmony hash haven hazel head heap heart heat heavy helm help here hero hide high hill hint hold holly hook hope horizon hour house
  huge human hunter husky icon idea idle image import index info init inner input install iris iron island item iterm jack jade jason
  java jazz jest jira jobs join josh json joy juice july jump june junior just keep kernel kilo kind king kite knight kotlin lake lambda
  lance land lane laravel large last late laurel layer lead leaf lean left legal lens less level library lift light lily lime line link
  linux list litellm live llama load local lock logan loop lost lotus love lucky luna lunar lynx mach magic mail main major make manager map
  marc march mark market marsh mason master match mate math matrix maven maya meadow mean media meet melody member memory menu merge mesh message
  meta metal method micro mike miles mill mind mini mint mirror misty mock mode model module monday money month moon more moss most mount
  mouse move much music must native navy near nest neutral never next nginx nice nick night noah noble none noon norm north note nova null
  number ocean offer office olive omega only open option orange order origin other outer output over owen pack page paint pair palm panel
  paper park parker parse part pass past patch path pause peak pearl pending penny perl perry phase phil phone photo pick piece pierce pine ping
  pink pipe pixel place plain plan planet platform play plot plug point pole pool port porter post power press prime print prisma process
  production profile program prompt proof proxy pulse pure push python quarter query quick quiet quin race rack rail rain ralph random range
  rare rate raven react read ready real record reed reef reference release remote render repo report request rest result return review
  rich ridge right ring ripple rise river road robin rock role roll roman rome room root rory rose ross round route ruby rule russell rust sage sail
  salt same sample sand sandy save scala scale scene schema scout screen script seal search season second secret section seed send serve
  setup seven shadow shape share sharp shell shield shift ship shop short show side sign silver simple since single site size skip sky
  slack slash sleep slice slow small smart smith snap snow soft solar solid some sonar song sonnet soul sound source south space spark speed
  spencer spike spin spring stack staff stage star start state static status steel step sterling still stone stop store storm story stream
  street string stripe strong style sub sudo summer sun sunday sunny super support sure svelte swift switch system table tail take tank task
  taylor team tech temp term terra test text than that them then there they thing think this thread tide tiger time title todo token
  tool topic torch total touch tower town trace track trail train tree trim trip true trunk trust turbo turn turner tutor twin type tyler ubuntu
  under unit unix until update upper usage value vault vector velvet vercel verse version vertex very victor view vim vine violet vision vite void
  volume wade wait walk walker wall ward warm warning watch water wave webb week well west what wheat wheel when while white wide wild will willow
  wind window wine winter wire wise wolf wood word work world worth wren write yarn year yellow young your zero zone zoom info contact hello
  support security sales press privacy legal billing abuse noreply feedback opensource`.split(/\s+/),
);

/** Says whether a name is a person's: no system account, no number, no replacement. */
export function isPersonal(name: string): boolean {
  const lower = name.toLowerCase();
  if (!/\p{L}/u.test(lower) || NOBODY.has(lower)) return false;
  return !/^(?:users?|contributor|host|project|person|test|dev|admin|runner|agent|worker)[ +_-]?\d*$/.test(lower);
}

/** Shorter names are replaced in paths only: words of three letters have too many other meanings. */
const SHORTEST_HANDLE = 4;

/** Says whether a name means this person wherever it occurs. */
export function isDistinctive(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    isPersonal(name) &&
    lower.length >= SHORTEST_HANDLE &&
    !COMMON.has(lower) &&
    !/^(?:v?\d+[.\d]*|[0-9a-f]{12,})$/.test(lower)
  );
}
