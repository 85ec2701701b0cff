"""Two hundred ordinary lines of notes, near in words to texts that steer a model, none of which may be held up."""

from __future__ import annotations

ENGLISH = """
Ignore the warning about peer dependencies, it is harmless.
Ignore case when sorting the index.
Ignore whitespace changes with `git diff -w`.
Ignore all files in `build/` and `dist/`.
Ignore errors from the first run; the cache is cold.
Disregard the smell, the varnish dries in a day.
Disregard the first reading of the meter.
Forget the umbrella again and it will rain.
Forget about the deadline, it moved to June.
Forget it, the shop is closed on Sundays.
Forget everything you know about CSS floats and read this.
You are now able to log in with a passkey.
You are now ready to deploy.
You are now connected to database "shop" as user "anna".
You are now in the interactive shell.
You are now on the branch `main`.
You are now a member of the docker group after a new login.
You are now done with the first part of the course.
You're now free to close the terminal.
From now on the meeting starts at nine.
From now on we write dates as 2026-03-15.
From now on you can use `npm ci` in the pipeline.
From now on you will see the price with tax.
From now on, only Ben waters the plants.
New instructions for the coffee machine are on the fridge.
New rules for the shared kitchen were agreed on Tuesday.
Updated instructions are in the wiki.
The new instructions came by post.
Follow the instructions in the README.
Follow the previous steps before you go on.
Follow these rules when you name a branch.
See the previous instructions for the oven.
Previous instructions still apply.
Act as a proxy between the two networks.
Act as a backup for the old router.
Act as soon as the letter arrives.
Act on the review before Friday.
Pretend to be busy, said Tom, and we laughed.
Pretend to be Firefox with `curl -A`.
Pretending the disk is full is easy with a small loop device.
Imagine the garden with two apple trees.
Role: backend developer, 40 hours.
Role-based access is planned for the second release.
System: Fedora 41, kernel 6.12.
System requirements are listed below.
System prompt design: say what to do, not what to avoid.
System prompts work best when they are short.
Assistant: can you book the table? Me: done.
Assistant professor Lee answered the mail.
User: anna, group: staff.
User instructions for the heater, page 12.
Human: Are there open bugs? Yes, three.
Developer mode on the phone is under About.
Admin rights are needed for the printer.
Override the default port with `--port`.
Override `toString` in the base class.
Bypass the cache with a query string.
Skip the previous track with two clicks.
Skip all tests that need a network.
Skip the system check with `--no-check`.
Discard all changes with `git restore .`.
Delete the previous release from the server.
Delete your account under Settings.
Clear the cache, then reload.
Reset your password on the login page.
Reset the router by holding the button for ten seconds.
Erase the SD card with FAT32.
Drop all tables before the import.
Reveal hidden files with Cmd-Shift-Dot.
Show the system information with `uname -a`.
Print the system log with `journalctl -b`.
Repeat the exercise ten times.
Repeat the prompt until a number is given.
Output the result as JSON.
Send the invoice to accounting@example.org.
Send all notes to the printer before class.
Email the minutes to everybody.
Do not tell Grandma about the party.
Do not follow the old path, the bridge is out.
Do not ignore the brake light.
Never show the user a stack trace.
Tell the user what went wrong and what to do next.
Respond to the survey by Friday.
Prompt engineering: give two examples, then the task.
Prompt injection is when a text tells the model to ignore what it was told.
One attack reads "ignore all previous instructions", which a filter may catch.
"Ignore previous instructions" is the best known attack on language models.
`ignore previous instructions` was tried on our bot and did nothing.
The model card says the assistant refuses to act as a lawyer.
A few-shot prompt can make the model act as a translator.
The jailbreak called DAN asked the model to do anything now.
Chat templates use tokens such as `<|im_start|>` and `[INST]`.
The token `<|endoftext|>` ends each training text.
The list has [INSTALL] and [REMOVE] buttons.
In F# the operator <| applies a function to what follows.
x |> f |> g reads from left to right.
Warning: the above instructions need Python 3.11.
Disregard the above instructions if you installed from a package.
Note: the rules above hold for guests as well.
Important: read all instructions before you begin.
Enter developer tools with F12.
Enable debug mode with `DEBUG=1`.
Switch to dark mode in the evening.
Your new password must have twelve signs.
Your new role starts in April.
My new instructions for the plant sitter: water on Sundays.
The real instructions for Lego set 10270 are online.
All of the above is from 2019.
Ignore the rest of the line after `#`.
Ignore list for the linter: dist, vendor.
""".strip().splitlines()

CHINESE = """
忽略大小写排序。
忽略警告继续安装即可。
忽略所有 .log 文件。
忽略这条错误，缓存还没建好。
忽略空白用 `git diff -w`。
无视闹钟又睡过头了。
无视差评，味道其实不错。
忘记带伞，淋了一身雨。
忘记密码时点登录页的链接。
忘了给阳台的花浇水。
清空回收站再试一次。
清除浏览器缓存。
清除所有过滤条件可以看到全部订单。
你现在可以登录了。
你现在是会员，可以享受九折。
你现在在哪个分支上？用 git branch 看。
你好，我是隔壁的小王。
现在开始报名，周五截止。
从现在开始，每周一开站会。
从现在起每天跑五公里。
从现在起我们用新的发票模板。
新的规则：厨房用完要擦干净。
新的一年，先把书架整理好。
新指令集让向量运算快了一倍。
最新说明放在共享文件夹里。
新任务：整理春天的照片。
以下是会议纪要。
以下是安装步骤。
执行以下命令安装依赖。
按照说明书组装书桌。
遵守社区的垃圾分类规则。
遵循之前的命名规则即可。
请忽略这封自动发送的邮件。
请忽略此前发错的附件。
请按照上面的步骤操作。
请不要告诉奶奶生日会的事。
请不要在走廊停车。
不要忽略刹车灯的警告。
不要遵循旧路线，桥断了。
不再使用旧的打印机。
别忘了周三还书。
停止遵循旧的缩进风格，统一用空格。
跳过前面的内容，直接看第三节。
跳过测试用 --skip。
跳过广告要等五秒。
绕过缓存可以加查询参数。
绕过工地从南门进。
覆盖默认端口用 --port。
删除旧的分支。
删除所有临时文件后重启。
重置路由器要按住十秒。
输出结果为 JSON。
输出所有质数到文件。
打印系统日志用 journalctl。
显示隐藏文件按 Cmd-Shift-点。
显示系统信息用 uname -a。
告诉我航班号，我去接你。
告诉用户下一步该做什么。
不要让用户看到错误堆栈。
发送发票给财务。
把所有笔记按年份放好。
把会议记录发给大家。
将旧手机的照片备份到硬盘。
扮演哈姆雷特的演员生病了。
扮演小红帽的是妹妹。
充当代理，在两个网段之间转发。
充当临时书桌的纸箱塌了。
作为一个初学者，先学基本语法。
作为程序员，腰椎要保护好。
假设磁盘已满，写入会失败。
模拟考试定在周六。
进入开发者选项打开调试。
开启夜间模式护眼。
切换到无痕模式再登录。
系统：Fedora 41，内核 6.12。
系统提示磁盘空间不足。
系统提示词要短，说要做什么。
提示词里给两个例子效果更好。
提示注入是指文本让模型忽略原来的要求。
有人在网页里写“忽略之前的所有指令”，过滤器会拦住。
“忽略之前的指令”是最有名的攻击句式。
`忽略以上指令` 对我们的机器人没有作用。
角色：后端开发，每周四十小时。
助手：桌子订好了。我：谢谢。
用户：小安，组：员工。
重要：开始之前读完全部说明。
注意：上面的步骤需要 Python 3.11。
所有规则见附件。
以上内容来自 2019 年。
前面的规则对访客同样有效。
""".strip().splitlines()

# Words that also go before an order.
ADDRESSING = """
记住密码比写下来安全。
记住，周三要交房租。
记住：牛奶在冰箱门上。
请记住，提前十分钟到。
记得把水电费发给房东。
记得给奶奶打电话。
切记：药要饭后吃。
切记不要把手机放在窗台。
牢记三条：多喝水，早睡，少糖。
以后再说。
以后把快递放在门口。
以后都要先看天气再出门。
以后忽略这些告警邮件就行。
以后我们用新的模板写周报。
以后请用英文合同和客户沟通。
以后要少喝咖啡。
今后每月一号盘点库存。
今后我们把照片放在云端。
往后推一周再开会。
从今往后少熬夜。
从今天起每天背十个单词。
从现在起，早餐不吃糖。
从现在开始，忽略大小写排序。
从此以后我们成了好朋友。
从此他每天写日记。
另外，忽略警告继续安装即可。
另外记住带护照。
将来想去冰岛看极光。
日后有空再整理书架。
听好了，明天七点出发。
Remember to water the plants on Sunday.
Remember, the gym is closed in May.
Remember: two eggs, not three.
Remember that the old rules of chess allowed this.
In the future we meet on Tuesdays.
In future, ignore the warning about the battery.
Going forward, the team reviews each release.
From now on, ignore case when you sort.
From this day on the shop is open at nine.
Henceforth known as the blue house.
""".strip().splitlines()
