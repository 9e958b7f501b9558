import type { ExerciseTexts } from "../en/exercise";

export const exercise: ExerciseTexts = {
  title: "练习",
  about:
    "{n, plural, other {# 个问题}}，关于 {machine} 上的一段访问轨迹 (trace)。答案由模拟器给出。",
  how: "请在机器执行之前作答。图里是机器当时的状态，会泄露答案的部分不显示，其余的要自己算。第 2 到 7 课、第 11 课和第 12 课讲的就是题里要用的知识。",
  attempts: "{n, plural, other {每个问题可以答 # 次。}}",
  attemptsFree: "每个问题可以反复作答，次数不限。",
  lockedParts: "有些图是老师故意隐藏的。",
  programRuns:
    "这个练习的访问轨迹来自一段程序。点击开始后，它会在没有网络的沙箱里运行。",
  name: "你的名字",
  nameWhy:
    "题目里的数由名字决定：换一个名字，题目就不同。请填写老师知道的那个名字。",
  begin: "开始",
  goOn: "继续",
  kept: "这个浏览器保存了这个名字的 {n, plural, other {# 个回答}}，会从那里继续。",
  opening: "模拟器正在运行这段访问轨迹……",
  where: "第 {at, number} 题，共 {n, number} 题",
  questions: "问题",
  stepName: "第 {at, number} 题",
  stepRight: "第 {at, number} 题，答对了",
  stepWrong: "第 {at, number} 题，还没答对",
  next: "下一题",
  finish: "完成",
  back: "后退",
  skip: "跳过",
  left: "{n, plural, =0 {次数已用完} other {还可以答 # 次}}",
  picture: "实时图示",
  waits: "访问 {at, number} 尚未执行",
  ran: "访问 {at, number}",
  hidden: "这个练习隐藏了所有的图。",
  resultTitle: "你的回答",
  score: "{n, number} 题中答对 {right, number} 题。",
  open: "{n, plural, other {还有 # 题没有作答。}}",
  lineTitle: "请上交这一行",
  lineWhy:
    "这一行里有你的名字、回答、作答次数和用时。请把整行粘贴到老师指定的地方，或者上交文件。",
  copy: "复制",
  copied: "已复制。",
  notCopied: "浏览器不允许复制。请选中这一行自行复制。",
  save: "保存文件",
  saved: "已存为 {file}。",
  again: "回到问题",
  asOther: "换一个名字",
  rename: "{name}：换一个名字",
  lessons: "课程",
  rightMark: "对",
  wrongMark: "不对",
  openMark: "未作答",
  secondsMark: "{n, number} 秒",
  triesMark: "{n, plural, other {答了 # 次}}",
  wanted: "打开练习",
  wantedWhy: "请打开老师给的链接，或者把练习文件拖到这里。",
  choose: "选择文件",
  grade: "批改回答",
  problemDamaged: "链接里的练习已损坏。链接是不是被截断了？请索取完整的链接。",
  problemNewer:
    "这个练习由更新版本的 Pagewalk 生成。请刷新页面，或者在新版网站上打开。",
  problemFile: "这个文件不是 Pagewalk 的练习。",
  problemWrong: "无法打开这个练习：{why}",
  qOutcome:
    "一次{kind, select, load {加载} store {存储} fetch {取指} other {预取}}使用地址 {address}。它是[命中](hit)（任何一级 TLB 都算）、[未命中](miss)，还是[缺页](page-fault)？",
  qSet: "处理器到 {array} 的哪一[组](set)里查找 {address}？",
  qWay: "这次访问之后，{address} 所在的页在 {array} 相应组的哪一路？",
  qVictim:
    "为了放入 {address} 所在的页，{array} 会驱逐哪一页？给出页号；没有就答“无 (none)”。",
  qPageNumber: "{address} 的[页号](page)是多少？",
  qOffset: "{address} 的[页内偏移](offset)是多少？",
  qIndex: "{address} 在 {table} 里的索引是多少？",
  qTag: "对于 {address}，{array} 比较的[标记](tag)是多少？",
  qReferences: "对 {address} 的[页表遍历](page-walk)要读取多少个页表项？",
  qEntryAddress:
    "对 {address} 的遍历要读取 {table} 的一个表项，它的物理地址是多少？",
  qPageSize: "{address} 所在的页有多大？",
  qFaultCode:
    "在 {address} 的一次{kind, select, load {加载} store {存储} fetch {取指} other {预取}}以[缺页](page-fault)结束。它的错误码是多少？",
  qPhysical: "{address} 转换到哪个物理地址？",
  qCycles: "转换 {address} 要用多少个周期？",
  qWalks:
    "从访问 0 到访问 {at, number}（含两端），一共有多少次[页表遍历](page-walk)？",
  qFaults:
    "从访问 0 到访问 {at, number}（含两端），一共有多少次[缺页](page-fault)？",
  qPages: "从访问 0 到访问 {at, number}（含两端），用到了多少个不同的页？",
  qReferencesSoFar:
    "从访问 0 到访问 {at, number}（含两端），各次遍历一共读取多少个页表项？",
  qCyclesSoFar:
    "从访问 0 到访问 {at, number}（含两端），地址转换一共用多少个周期？",
  qMisses:
    "从访问 0 到访问 {at, number}（含两端），在 {array} 里有多少次查找未命中？",
  qHits:
    "从访问 0 到访问 {at, number}（含两端），在 {array} 里有多少次查找命中？",
  hOutcome:
    "先在每个 TLB 阵列相应的组里找这个页号，第一级和第二级都要找。如果哪个表项都没有，就由页表决定。",
  hOutcome2:
    "第一级或第二级有这个表项：命中。都没有，但页表映射了这一页：未命中。两处都没有：缺页。如果系统在首次访问时才映射页，那次访问就是缺页。",
  hSet: "组由页号中的某些位决定。",
  hSet2:
    "这个 TLB 有 {sets, number} 组：取页号最低的 {bits, plural, other {# 位}}。",
  hSetXor:
    "这个 TLB 有 {sets, number} 组。它把页号最低的 {bits, number} 位与后面几位异或。",
  hSetMasks:
    "这个 TLB 有 {sets, number} 个组。组的每一位是掩码所选的页号各位的异或。",
  hWay: "命中时，用的是存有这一页的那一路。未命中时先填充空的路，没有空路就填充被驱逐表项的那一路。",
  hWay2: "每组有 {ways, number} 路，从 0 开始编号。",
  hVictim:
    "只有组满了才会驱逐表项。还有空的路，答案就是 none。组满了，驱逐哪一个由这个 TLB 的替换策略决定。",
  hVictim2:
    "这个阵列每组有 {ways, number} 路，替换策略是 {policy}：{policy, select, lru {驱逐最久没有用过的表项} fifo {驱逐最早进来的表项} random {随机驱逐一个表项} other {这是一种[伪 LRU](pseudo-lru) 策略，用几个位近似 LRU，最近用过的那个表项不会被驱逐}}。",
  hPageNumber: "页号是去掉页内偏移之后的地址。",
  hPageNumber2:
    "这里一页的页内偏移有 {bits, number} 位：去掉最低的 {bits, number} 位。",
  hOffset: "页内偏移是地址的低位部分：它是页里的位置。",
  hOffset2: "这里一页的页内偏移有 {bits, number} 位。",
  hIndex: "页表的每一级都使用地址中自己的那几位。",
  hIndex2: "对这张表，取地址的第 {high, number} 位到第 {low, number} 位。",
  hTag: "页号去掉选组的那几位，剩下的就是标记。",
  hTag2:
    "这个 TLB 有 {sets, number} 组：从页号的低端去掉 {bits, plural, other {# 位}}。",
  hReferences:
    "没有遍历缓存时，一次遍历从根开始，在到达页之前的每一级读取一个表项。TLB 命中时一个也不读。",
  hReferences2:
    "页表有 {levels, number} 级。页越大，遍历结束得越早；遍历缓存可以跳过几级。",
  hEntryAddress: "表项在它的表里，位置是索引乘以表项大小。",
  hEntryAddress2:
    "以地址的第 {high, number} 位到第 {low, number} 位为索引。这里一个表项有 {bytes, number} 个字节。",
  hPageSize: "遍历在哪一级结束，就说明页有多大。",
  hFaultCode: "每一位回答一个问题：页存在、写、用户态、保留位、取指。",
  hFaultCode2: "位 0：页存在。位 1：写。位 2：用户态。位 4：取指。",
  hPhysical: "用页帧号换掉页号，页内偏移不变。",
  hPhysical2:
    "遍历的最后一个表项里有页帧号。在它后面接上地址最低的 {bits, number} 位。",
  hCycles:
    "在第二级命中，只花查找第二级的周期。两级都未命中，就再加上启动遍历和每次读取的周期；一次读取花多少，要看表项在哪级缓存里。",
  hCycles2: "在第一级命中不需要额外的周期。",
  hNumber: "从访问 0 数起，这次访问也要算进去。",
  hNumber2: "按页来数：如果这一页还在阵列里，再次访问就会命中。",
  hNumberFirst: "只有首次访问一页才会缺页。每一页只在第一次出现时数一次。",
  knownAccesses: "到这里为止的访问",
  knownEarlier:
    "这里是最后 64 次访问，之前的 {n, plural, other {# 次}}在访问轨迹里。",
  knownAccess: "访问",
  knownKind: "类型",
  knownAddress: "地址",
  knownPage: "页号",
  knownTable: "访问之前的页表",
  knownNoPages: "还没有映射任何页。首次访问一页时发生缺页，随后系统映射它。",
  knownFirstTouch: "这些页已经映射。首次访问其他页时发生缺页，随后系统映射它。",
  knownOthers: "{n, plural, other {另有 # 个更远的页也已映射。}}",
  knownFrame: "页帧",
  knownSize: "大小",
  knownRules:
    "{array}：{shape}。{index, select, masks {组号的每一位都是页号若干位的异或。} xor {组由页号的两段低位异或得到。} other {组由页号的低位决定。}}替换策略：{policy}。",
};
